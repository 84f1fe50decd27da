import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { TestRein } from '../e2e/harness.ts'
import { agentPath, asksFirst, expectQuiet, goTo, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()
const asks = { name: /^Answer:/ }
const allow = { name: 'Allow once' }

const agentRecords = async ({ client }: TestRein): Promise<AnyRecord[]> => {
  const records: AnyRecord[] = []
  for await (const record of client.tail({ topic: 'agents', after: 0 })) records.push(record)
  return records
}

const answersIn = async (rein: TestRein) =>
  (await agentRecords(rein)).filter((record) => record.type === 'agent.answered')

const answerersIn = async (rein: TestRein): Promise<unknown[]> => (await answersIn(rein)).map(({ actor }) => actor)

test('a phone that was paired by a code answers a permission in two taps: the tool runs, and the log names the phone', async () => {
  const rein = await startAsking()
  const phone = await pairPage(rein, browser(), { name: 'phone', scopes: ['read', 'answer'] })
  await rein.up('RUN:echo it-$((40+2))-ran > ran.txt; cat ran.txt ;; SAY:done', asksFirst)
  await phone.page.getByRole('link', asks).tap()
  await phone.page.getByRole('button', allow).tap()
  const after = await rein.sim.next((request) => request.isMain && request.newText.includes('it-42-ran'))
  expect(after.reply).toBe('SAY:done')
  expect(existsSync(join(rein.cwd, 'ran.txt'))).toBe(true)
  const byPhone = { kind: 'user', via: { kind: 'device', name: 'phone' } }
  expect(await answerersIn(rein)).toEqual([
    expect.objectContaining({ ...byPhone, via: expect.objectContaining(byPhone.via) }),
  ])
  expect((await rein.rein('story', 'worker', '--json')).stdout).toContain('phone')
  expectQuiet(phone)
})

test('two pages answer one question: one answer counts, and the other page says why its own does not', async () => {
  const rein = await startAsking()
  const first = await pairPage(rein, browser(), { name: 'first' })
  const late = await pairPage(rein, browser(), { name: 'late' })
  await rein.up('RUN:touch ran.txt; echo it-$((40+2))-ran ;; WAIT:later ;; SAY:done', asksFirst)
  await late.page.getByRole('link', asks).tap()
  await late.page.getByRole('button', allow).waitFor()
  // From now on the second page hears nothing more: it shows a question that somebody else answers.
  await late.hold()
  await first.page.getByRole('link', asks).tap()
  await first.page.getByRole('button', allow).tap()
  await rein.sim.next((request) => request.isMain && request.newText.includes('it-42-ran'))
  await late.page.getByRole('button', allow).tap()
  await late.release()
  await late.page.getByText('Not answered.').waitFor()
  const why = await late.page.getByRole('status').filter({ hasText: 'Not answered.' }).innerText()
  expect(why).toContain('worker no longer asks that.')
  expect(await answerersIn(rein)).toEqual([
    expect.objectContaining({ via: expect.objectContaining({ name: 'first' }) }),
  ])
  for (const page of [first, late]) expectQuiet(page)
})

test('an answer whose connection breaks is told as not known', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'phone' })
  await rein.up('RUN:touch ran.txt; echo it-$((40+2))-ran ;; SAY:done', asksFirst)
  await tab.page.getByRole('link', asks).tap()
  // Who came for one question is at it, not at the title of the view.
  await tab.page.locator('.question h2:focus').waitFor()
  await tab.page.getByRole('button', allow).waitFor()
  await tab.hold()
  await tab.page.getByRole('button', allow).tap()
  await tab.page.getByText('Answering worker').waitFor()
  await rein.sim.next((request) => request.isMain && request.newText.includes('it-42-ran'))
  await tab.cut()
  await tab.page.getByText('Not known whether it was answered.').waitFor()
  expect(await tab.page.getByText('Not answered.').count()).toBe(0)
  await tab.release()
  // It counted: the question is gone, and what is not known here stays until it was read.
  await tab.page.getByRole('button', allow).waitFor({ state: 'detached' })
  await tab.page.getByRole('button', { name: 'Remove' }).tap()
  await tab.page.getByText('Nobody asks anything.').waitFor()
  expectQuiet(tab)
})

const again = 'RUN:echo one >> ran.txt; echo it-$((40+2))-ran'

test('a call that the page allows always runs unasked until the page takes that back', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'tablet', scopes: ['read', 'answer', 'control'] })
  const { page } = tab
  const agent = await rein.up(`${again} ;; WAIT:first ;; ${again} ;; WAIT:more ;; ${again} ;; SAY:done`, asksFirst)
  await page.getByRole('link', asks).tap()
  await page.getByRole('button', { name: 'Always allow …' }).tap()
  await page.getByRole('button', { name: 'Always allow this call' }).tap()
  await page.getByText('worker is not asked about this call again.').waitFor()
  await page.getByText('Nobody asks anything.').waitFor()
  await rein.sim.reached('first')
  rein.sim.release('first')
  await rein.sim.reached('more')
  expect(readFileSync(join(rein.cwd, 'ran.txt'), 'utf8')).toBe('one\none\n')
  await goTo(page, agentPath(agent))
  await page.getByText('Always allowed: 1').tap()
  await page.getByRole('button', { name: /^Ask about it again Bash: echo one/ }).tap()
  await page.getByText('Always allowed:').waitFor({ state: 'detached' })
  rein.sim.release('more')
  await page.getByRole('link', { name: 'Questions' }).tap()
  await page.getByRole('button', { name: 'Deny', exact: true }).tap()
  await rein.sim.next((request) => request.isMain && request.reply === 'SAY:done')
  expect(readFileSync(join(rein.cwd, 'ran.txt'), 'utf8')).toBe('one\none\n')
  const ways = (await answersIn(rein)).map(({ body: { answer, by } }) => `${answer} by ${by}`)
  expect(ways).toEqual(['allow by person', 'allow by policy', 'deny by person'])
  const lists = (await agentRecords(rein)).filter((one) => one.type === 'agent.allowed')
  const byTablet = expect.objectContaining({ kind: 'user', via: expect.objectContaining({ name: 'tablet' }) })
  expect(lists.map(({ actor, body }) => [actor, body.allowed.length])).toEqual([
    [byTablet, 1],
    [byTablet, 0],
  ])
  expectQuiet(tab)
})

test('a call that is allowed for good while the connection breaks is told as not known', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'phone', scopes: ['read', 'answer', 'control'] })
  const { page } = tab
  await rein.up(`${again} ;; SAY:done`, asksFirst)
  await page.getByRole('link', asks).tap()
  await page.getByRole('button', { name: 'Always allow …' }).tap()
  const always = page.getByRole('button', { name: 'Always allow this call' })
  await always.waitFor()
  await tab.hold()
  await always.tap()
  await page.getByText('Answering worker').waitFor()
  expect(await always.isDisabled()).toBe(true)
  await rein.sim.next((request) => request.isMain && request.newText.includes('it-42-ran'))
  await tab.cut()
  await page.getByText('Not known whether it was answered.').waitFor()
  await tab.release()
  await always.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove' }).tap()
  await page.getByText('Nobody asks anything.').waitFor()
  expectQuiet(tab)
})
