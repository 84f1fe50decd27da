import { expect, test } from 'vitest'
import { inState } from '../e2e/terminal.ts'
import { desktop } from './browser.ts'
import { expectQuiet, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

/** Runs in the page, where no time passes between looking and pressing: whether the palette was still there when it had asked. */
const pressUntilDone = `(async () => {
  const field = document.querySelector('.palette-input')
  const enter = (repeat) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, repeat }))
  const row = () => document.querySelector('[role="option"][aria-selected="true"]')
  enter(false)
  enter(false)
  while (row() !== null && !(row().textContent.includes('really?') && row().getAttribute('aria-disabled') === 'false'))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  enter(true)
  const isOpen = row() !== null
  enter(false)
  return isOpen
})()`

test('the palette asks again before it stops an agent: a double press or a key that is held down is no answer', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { options: desktop })
  const { page } = tab
  await rein.up('WAIT:forever')
  await rein.sim.reached('forever')
  await page.locator('[data-agent]').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('stop worker')
  await page.getByRole('option', { name: 'Stop worker', selected: true }).waitFor()
  expect(await page.evaluate(pressUntilDone)).toBe(true)
  await inState(rein, 'stopped')
  expectQuiet(tab)
})

test('the palette gives the focus back to what opened it', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const tab = await pairPage(rein, browser(), { options: desktop })
  await tab.page.getByRole('button', { name: 'Find' }).click()
  await tab.page.getByRole('combobox').fill('theme: dark')
  await tab.page.keyboard.press('Enter')
  await tab.page.getByRole('combobox').waitFor({ state: 'detached' })
  expect(await tab.page.evaluate(`document.activeElement.textContent`)).toContain('Find')
  expectQuiet(tab)
})
