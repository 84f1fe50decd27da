import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { acksEverything, startRein, type TestOptions } from '../e2e/harness.ts'
import { phone } from './browser.ts'
import { agentPath, openView, pairPage } from './harness.ts'
import { cutPatches, drawMoving, type Frame } from './moving-picture.ts'

const size = { width: 390, height: 844, scale: 2 }
const text = 'Keep the old index until the tests pass.'
const bench = "console.log(process.argv.includes('--cached') ? 'search p50 12 ms' : 'search p50 340 ms')\n"
const scenario = `on Speed up the search do RUN:node bench.mjs ;; WAIT:told ;; RUN:node bench.mjs --cached
default SAY:The search answers in **12 ms** now, before it was 340 ms. The old index stays until the tests pass.`
const mostBytes = 300_000

/** How long a frame stays, in ms: the real times are too short for an eye, or too long. */
const stays = { begin: 1_500, character: 70, step: 400, state: 1_400, end: 4_500 }

/** The camera: one frame for each time the screen looks different. */
const openCamera = (page: Page, desk: Page) => {
  const frames: Frame[] = []
  let before: Buffer | null = null
  return {
    frames,
    shoot: async (stayMs: number): Promise<void> => {
      const now = await page.screenshot({ scale: 'device' })
      const patches = await cutPatches(desk, before, now)
      before = now
      if (patches.length > 0) frames.push({ patches, stayMs })
    },
  }
}

/** A message that is told on a phone, by a real page and a real Claude Code: its receipt moves from queued to acked. */
export const recordReceipt = async (
  browser: Browser,
  atTheEnd: NonNullable<TestOptions['onTestFinished']>,
): Promise<string> => {
  const rein = await startRein({ scenario: `${acksEverything}\n${scenario}`, onTestFinished: atTheEnd })
  writeFileSync(join(rein.cwd, 'bench.mjs'), bench)
  const { page, hold, step, release } = await pairPage(rein, browser, {
    options: {
      ...phone,
      viewport: { width: size.width, height: size.height },
      deviceScaleFactor: size.scale,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    },
  })
  const agent = await rein.up('Speed up the search.', {}, { handle: 'api' })
  await rein.sim.reached('told')
  await openView(page, { path: agentPath(agent), title: 'api', shows: 'node bench.mjs' })
  const { frames, shoot } = openCamera(page, await (await browser.newContext()).newPage())
  const receipt = page.locator('.told .receipt')

  await shoot(stays.begin)
  const field = page.getByRole('textbox', { name: 'Tell api' })
  await field.tap()
  for (const word of text.split(/(?<= )/)) {
    await field.pressSequentially(word)
    await shoot(stays.character * word.length)
  }
  await page.getByRole('button', { name: 'Tell', exact: true }).tap()
  await receipt.and(page.locator('[data-state="queued"]')).waitFor()
  await shoot(stays.state)

  // One message of the daemon after the other, so that no step is over before it is on a picture.
  await hold()
  rein.sim.release('told')
  let [state, isOver] = ['queued', false]
  // Many pictures are taken meanwhile.
  page.setDefaultTimeout(600_000)
  const over = receipt
    .and(page.locator('[data-state="acked"]'))
    .waitFor()
    .then(() => page.locator('.line-end').waitFor())
    .then(() => true)
  while (!isOver) {
    isOver = (await Promise.race([step(), over])) === true
    const next = (await receipt.getAttribute('data-state')) ?? state
    await shoot(next === state ? stays.step : stays.state)
    state = next
  }
  await release()
  await receipt.locator('summary').tap()
  await page.locator('.receipt-steps').scrollIntoViewIfNeeded()
  await shoot(stays.end)
  const picture = drawMoving(frames, size)
  if (picture.length > mostBytes) throw new Error(`The moving picture has ${picture.length} bytes.`)
  return picture
}
