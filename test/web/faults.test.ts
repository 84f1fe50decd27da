import { expect, test } from 'vitest'
import { mostBehind } from '../../src/features/agents/feed.ts'
import { lookUntil } from '../e2e/look.ts'
import { asksFirst, expectQuiet, openView, agentPath, pairPage, startAsking } from './harness.ts'
import { scrollToStart, writeHistory } from './history.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

test('a device that is revoked while it is connected shows nothing any more, and says why', async () => {
  const rein = await startAsking()
  const phone = await pairPage(rein, browser(), { name: 'phone' })
  await rein.up('RUN:touch ran.txt; echo it-$((40+2))-ran ;; SAY:done', asksFirst)
  await phone.page.getByRole('link', { name: /^Answer:/ }).waitFor()
  expect((await rein.rein('web', 'revoke', 'phone')).code).toBe(0)
  await phone.page.getByRole('heading', { name: 'Not let in' }).waitFor()
  await phone.page.getByRole('alert').waitFor()
  expect(await phone.page.locator('body').innerText()).not.toContain('touch ran.txt')
  await phone.page.getByRole('button', { name: 'Try again' }).tap()
  await phone.page.getByRole('heading', { name: 'Not let in' }).waitFor()
  const other = await pairPage(rein, browser(), { name: 'other' })
  await other.page.getByRole('link', { name: /^Answer:/ }).waitFor()
  expectQuiet(phone)
})

test('a page that was asleep shows what happened meanwhile, each once', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const steps = Array.from({ length: 12 }, (_, at) => `RUN:touch step-${at}.txt`)
  const agent = await rein.up(`WAIT:asleep ;; ${steps.join(' ;; ')} ;; SAY:awake at last`)
  await openView(tab.page, { path: agentPath(agent), title: 'worker', shows: 'WAIT:asleep' })
  await tab.cut()
  await tab.page.locator('.connection-offline').waitFor({ state: 'attached' })
  rein.sim.release('asleep')
  await rein.record('turns', (one) => one.type === 'turn.ended')
  await tab.release()
  await tab.page.getByText('awake at last', { exact: true }).waitFor()
  const tools = await tab.page.locator('.tool .tool-input').allInnerTexts()
  expect(tools.map((text) => /step-\d+/.exec(text)?.[0])).toEqual(steps.map((step) => /step-\d+/.exec(step)?.[0]))
  expectQuiet(tab)
})

test('a page that slept while far more was written than it is sent begins with the newest, each once, and pages back', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const agent = await rein.up('SAY:before the night')
  const { agent: id } = await rein.record('turns', (one) => one.type === 'turn.ended')
  await openView(tab.page, { path: agentPath(agent), title: 'worker', shows: 'before the night' })
  await rein.client.down({ target: 'worker', cwd: rein.cwd })
  await tab.cut()
  await tab.page.locator('.connection-offline').waitFor({ state: 'attached' })
  await rein.client.stop()
  // Three records each: more than a feed catches up with.
  const turns = Math.ceil(mostBehind / 3) + 200
  writeHistory(rein.paths.database, String(id), turns)
  await rein.client.hello()
  await tab.release()
  const rows = tab.page.locator('.list-row')
  await rows.filter({ hasText: `Reply number ${turns - 1}.` }).waitFor()
  const shown = (await rows.allInnerTexts()).flatMap((text) => /Reply number \d+\./.exec(text) ?? [])
  expect(new Set(shown).size).toBe(shown.length)
  const first = (await tab.page.evaluate(scrollToStart('started (stream'))) as { rows: number }
  expect(first.rows).toBeGreaterThanOrEqual(3 * turns)
  expectQuiet(tab)
})

test('two outputs of 10 MB, of which the CLI keeps the beginning, leave the page usable', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const flood = `RUN:head -c 10000000 /dev/zero | tr '\\0' x > big.txt; cat big.txt`
  const agent = await rein.up(`${flood} ;; ${flood} ;; SAY:that was much`)
  await openView(tab.page, { path: agentPath(agent), title: 'worker', shows: 'that was much' })
  await tab.page.getByText('that was much', { exact: true }).waitFor()
  const nodes = (): Promise<number> => tab.page.evaluate(`document.querySelectorAll('*').length`)
  expect(await nodes()).toBeLessThan(2_000)
  await tab.page.getByRole('textbox', { name: 'Tell worker' }).fill('Enough.')
  await tab.page.getByRole('button', { name: 'Tell', exact: true }).click()
  await lookUntil(
    async () => tab.page.locator('.told .receipt').getAttribute('data-state'),
    (state) => state === 'seen' || state === 'acked',
  )
  expectQuiet(tab)
})
