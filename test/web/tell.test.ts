import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { TestRein } from '../e2e/harness.ts'
import { watchPage } from './browser.ts'
import { agentPath, allScopes, expectQuiet, goTo, isConnected, openView, pairPage, startAsking } from './harness.ts'
import { holdSocket } from './hold-socket.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

const tellFrom = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Tell worker' }).fill(text)
  await page.getByRole('button', { name: 'Tell', exact: true }).click()
}

const receiptOf = (page: Page, text: string): Locator => page.locator('.told').filter({ hasText: text })

const inState = (page: Page, text: string, state: string): Promise<void> =>
  receiptOf(page, text).locator(`.receipt[data-state="${state}"]`).waitFor()

/** The rows of the conversation, as the page has them: `kind:entry:seq` or `kind:seq`. */
const rowsOf = async (page: Page): Promise<string[]> => {
  const keys = await page.locator('.list-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))
  return keys.filter((key) => key !== null)
}

/** What the command line tells of the conversation, in the same words. */
const rowsOfLogs = async ({ rein }: TestRein): Promise<string[]> => {
  const { stdout } = await rein('logs', 'worker', '--json', '--limit', '1000')
  const records = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AnyRecord)
  return records.flatMap((record) => {
    if (record.type === 'turn.started') return [`p:${record.body.entry}:${record.seq}`]
    if (record.type === 'turn.ended') return [`t:${record.seq}`]
    if (record.type !== 'turn.entry') return []
    return record.body.blocks.some(({ type }) => type !== 'tool_result') ? [`r:${record.body.entry}:${record.seq}`] : []
  })
}

test('what is told from the page is shown as seen at the entry of its receipt, over two kills of the daemon', async () => {
  const rein = await startAsking({ scenario: '' })
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const { page } = tab
  const agent = await rein.up('WAIT:first ;; RUN:touch one.txt ;; WAIT:second ;; RUN:touch two.txt ;; SAY:all done')
  await rein.sim.reached('first')
  await goTo(page, agentPath(agent))
  await tellFrom(page, 'Use tabs.')
  await inState(page, 'Use tabs.', 'queued')

  await rein.killDaemon()
  await rein.client.hello()
  rein.sim.release('first')
  await rein.sim.reached('second')
  await inState(page, 'Use tabs.', 'placed')
  await rein.killDaemon()
  await rein.client.hello()
  rein.sim.release('second')
  await inState(page, 'Use tabs.', 'seen')

  const id = await receiptOf(page, 'Use tabs.').getAttribute('data-directive')
  const receipt = await rein.reached(String(id), 'seen')
  const evidence = receipt.steps.find(({ state }) => state === 'seen')?.evidence
  expect(evidence?.source).toBe('transcript')
  const row = page.locator('.list-row').filter({ has: receiptOf(page, 'Use tabs.') })
  expect(await row.getAttribute('data-key')).toContain(`:${evidence?.entry}:`)
  await page.getByText('all done', { exact: true }).waitFor()
  await page.locator('.line-end').waitFor()

  const shown = (await rowsOf(page)).filter((key) => /^[prt]:/.test(key))
  expect(shown.toSorted()).toEqual((await rowsOfLogs(rein)).toSorted())
  expect(rein.sim.requests.filter(({ text }) => text.includes('| Use tabs.')).length).toBeGreaterThan(0)
  expectQuiet(tab)
})

const acceptedTexts = async ({ client }: TestRein): Promise<string[]> => {
  const texts: string[] = []
  for await (const record of client.tail({ topic: 'directives', after: 0 }))
    if (record.type === 'directive.accepted') texts.push(record.body.directive.text)
  return texts
}

/** What a page asks the daemon to tell, over each socket that it opens from here on: also what the daemon has already. */
const watchTells = (page: Page, tells: string[] = []): string[] => {
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"call":"tell"')) tells.push(String(payload))
    }),
  )
  return tells
}

test('what is told while there is no connection waits over a reload, and is sent once, when it is back', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const { page } = tab
  const tells = watchTells(page)
  const agent = await rein.up('WAIT:first ;; RUN:touch one.txt ;; SAY:all done')
  await rein.sim.reached('first')
  await openView(page, { path: agentPath(agent), title: 'worker', shows: 'WAIT:first' })
  await tab.cut()
  await tellFrom(page, 'Use tabs.')
  await inState(page, 'Use tabs.', 'waiting')
  await page.getByRole('textbox', { name: 'Tell worker' }).fill('a draft')
  rein.sim.release('first')
  await page.reload()
  await inState(page, 'Use tabs.', 'seen')
  expect(await page.getByRole('textbox', { name: 'Tell worker' }).inputValue()).toBe('a draft')
  expect(await acceptedTexts(rein)).toEqual(['Use tabs.'])
  expect(tells).toHaveLength(1)
  expect(tab.troubles).toEqual([])
})

test('what the daemon refuses comes back into the box that is open, before what was typed since', async () => {
  const rein = await startAsking({ config: { REIN_INBOX_MAX_TEXT_BYTES: '1024' } })
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const agent = await rein.up('WAIT:first ;; SAY:all done')
  await goTo(tab.page, agentPath(agent))
  const box = tab.page.getByRole('textbox', { name: 'Tell worker' })
  const tooLong = 'x'.repeat(1_025)
  await tab.hold()
  await tellFrom(tab.page, tooLong)
  await box.fill('a draft')
  await tab.release()
  await tab.page.locator('.toast-bad').waitFor()
  expect(await box.inputValue()).toBe(`${tooLong}\n\na draft`)
  await box.press('End')
  await box.pressSequentially('!')
  await tab.page.reload()
  expect(await box.inputValue()).toContain(tooLong)
  expect(await acceptedTexts(rein)).toEqual([])
  expect(tab.troubles).toEqual([])
})

test('two tabs: what is taken back in one is not sent by the other, and what waits in both is sent once', async () => {
  const rein = await startAsking()
  const one = await pairPage(rein, browser(), { name: 'laptop' })
  const agent = await rein.up('WAIT:first ;; RUN:touch one.txt ;; SAY:all done')
  await rein.sim.reached('first')
  const other = await watchPage(one.page.context())
  const network = await holdSocket(other.page)
  const tells = watchTells(other.page, watchTells(one.page))
  await other.page.goto(one.origin)
  await isConnected(other.page)
  for (const { page } of [one, other])
    await openView(page, { path: agentPath(agent), title: 'worker', shows: 'WAIT:first' })
  await one.cut()
  await network.cut()
  await tellFrom(one.page, 'Use tabs.')
  await inState(other.page, 'Use tabs.', 'waiting')
  await receiptOf(other.page, 'Use tabs.').getByRole('button', { name: 'Take back' }).click()
  await receiptOf(one.page, 'Use tabs.').waitFor({ state: 'detached' })
  await tellFrom(one.page, 'Use spaces.')
  await inState(other.page, 'Use spaces.', 'waiting')
  await Promise.all([one.release(), network.release()])
  rein.sim.release('first')
  for (const { page } of [one, other]) await inState(page, 'Use spaces.', 'seen')
  expect(await acceptedTexts(rein)).toEqual(['Use spaces.'])
  expect(tells).toHaveLength(1)
  expectQuiet(one)
  expectQuiet(other)
})

test('what an agent says now is followed again after a reload of its page', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop', scopes: allScopes })
  const agent = await rein.up('WAIT:first ;; SAY:all done')
  await goTo(tab.page, agentPath(agent))
  await tab.page.getByRole('textbox', { name: 'Tell worker' }).waitFor()
  const opened = new Promise<void>((resolve) => {
    tab.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"open":"live"')) resolve()
      }),
    )
  })
  await tab.page.reload()
  await opened
  expect(tab.troubles).toEqual([])
})
