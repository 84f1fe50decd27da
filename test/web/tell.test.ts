import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { TestRein } from '../e2e/harness.ts'
import { agentPath, expectQuiet, goTo, pairPage, startAsking } from './harness.ts'
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

test('what is told while there is no connection is sent once, when it is back', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const agent = await rein.up('WAIT:first ;; RUN:touch one.txt ;; SAY:all done')
  await rein.sim.reached('first')
  await goTo(tab.page, agentPath(agent))
  await tab.page.getByRole('textbox', { name: 'Tell worker' }).waitFor()
  await tab.cut()
  await tellFrom(tab.page, 'Use tabs.')
  await inState(tab.page, 'Use tabs.', 'waiting')
  // What is typed and not sent is there after a reload, as is what was not sent yet.
  await tab.page.getByRole('textbox', { name: 'Tell worker' }).fill('a draft')
  await tab.release()
  rein.sim.release('first')
  await inState(tab.page, 'Use tabs.', 'seen')
  await tab.page.reload()
  await inState(tab.page, 'Use tabs.', 'seen')
  expect(await tab.page.getByRole('textbox', { name: 'Tell worker' }).inputValue()).toBe('a draft')
  const accepted: AnyRecord[] = []
  for await (const record of rein.client.tail({ topic: 'directives', after: 0 }))
    if (record.type === 'directive.accepted') accepted.push(record)
  expect(accepted).toHaveLength(1)
  expect(tab.troubles).toEqual([])
})
