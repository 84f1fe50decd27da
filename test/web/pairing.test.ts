import { expect, test } from 'vitest'
import { agentPath, goTo, isConnected, openView, pairingUrl, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()
const settings = { path: '/settings', title: 'Settings', shows: 'This browser' }

/** Presses a button that asks again, and presses it again when it has asked: in the page, where no time passes between. */
const pressTwice = (name: string): string => `(async () => {
  const button = [...document.querySelectorAll('button')].find(({ title }) => title === ${JSON.stringify(name)})
  button.click()
  while (!(button.title.includes('really?') && button.getAttribute('aria-disabled') === 'false'))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  button.click()
})()`

test('a pairing link that is opened in a tab with the page changes what it may do, and leaves no code in its history', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const { page } = await pairPage(rein, browser(), { name: 'tablet', scopes: ['read'] })
  await openView(page, { ...settings, shows: 'see agents' })
  const url = await pairingUrl(rein, { name: 'tablet', scopes: ['read', 'tell'] })
  await goTo(page, new URL(url).hash)
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  expect(page.url()).not.toContain('pair')
  await openView(page, { ...settings, shows: 'write to agents and in rooms' })
  await page.goBack()
  await page.goBack()
  expect(page.url()).toMatch(/#\/settings$/)
})

test('a browser that forgets its key says what is lost with it, and keeps nothing that was written in it', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const { page } = tab
  const agent = await rein.up('WAIT:first ;; SAY:all done')
  await rein.sim.reached('first')
  await goTo(page, agentPath(agent))
  const field = page.getByRole('textbox', { name: 'Tell worker' })
  await field.waitFor()
  await tab.cut()
  await field.fill('Use tabs.')
  await page.getByRole('button', { name: 'Tell', exact: true }).click()
  await page.locator('.told .receipt[data-state="waiting"]').waitFor()
  await field.fill('a draft')
  await goTo(page, settings.path)
  await page.getByText('deletes 1 message that was not sent and 1 draft').waitFor()
  await page.evaluate(pressTwice('Forget the key of this browser'))
  await page.getByRole('heading', { name: 'Pair this browser' }).waitFor()
  await tab.release()
  await page.goto(await pairingUrl(rein, { name: 'laptop' }))
  await isConnected(page)
  await page.reload()
  await openView(page, { path: agentPath(agent), title: 'worker', shows: 'WAIT:first' })
  expect(await field.inputValue()).toBe('')
  expect(await page.locator('.told').count()).toBe(0)
  expect((await rein.rein('web', 'devices')).stdout.match(/laptop/g)).toHaveLength(2)
})
