import { expect, test } from 'vitest'
import { desktop } from './browser.ts'
import { agentPath, expectQuiet, goTo, pairPage, startAsking } from './harness.ts'
import { scrollToStart, writeHistory } from './history.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()
const turns = 10_000

test(`${turns} turns of history are scrolled with few elements in the document`, async () => {
  const rein = await startAsking()
  const agent = await rein.up('SAY:hello')
  const { agent: id } = await rein.record('turns', (one) => one.type === 'turn.ended')
  await rein.client.down({ target: 'worker', cwd: rein.cwd })
  await rein.client.stop()
  writeHistory(rein.paths.database, String(id), turns)
  await rein.client.hello()
  const tab = await pairPage(rein, browser(), { name: 'laptop', options: desktop })
  await goTo(tab.page, agentPath(agent))
  await tab.page
    .locator('.list-row')
    .filter({ hasText: `Reply number ${turns - 1}.` })
    .waitFor()
  const { most, rows } = (await tab.page.evaluate(scrollToStart('started (stream'))) as { most: number; rows: number }
  // A prompt, a reply and an end each, beside those of the agent itself.
  expect(rows).toBeGreaterThanOrEqual(3 * turns)
  expect(most).toBeLessThan(3_000)
  expectQuiet(tab)
})
