import { expect, test } from 'vitest'
import { scopeWords } from '../../src/contract/scopes.ts'
import { maxPages } from '../../src/contract/socket-terms.ts'
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
  await openView(page, { ...settings, shows: scopeWords.read })
  const url = await pairingUrl(rein, { name: 'tablet', scopes: ['read', 'tell'] })
  await goTo(page, new URL(url).hash)
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  expect(page.url()).not.toContain('pair')
  await openView(page, { ...settings, shows: scopeWords.tell })
  await page.goBack()
  await page.goBack()
  expect(page.url()).toMatch(/#\/settings$/)
})

test('a pairing that fails in a browser that is let in is told once, and a refusal after it says its own reason', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const { page } = await pairPage(rein, browser(), { name: 'tablet', scopes: ['read'] })
  await goTo(page, '#pair=AAAAAAAAAAAAAAAAAAAAAA')
  const failure = page.getByText('This code is wrong, was used already, or is older than 5 minutes.')
  await failure.waitFor()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await rein.rein('web', 'revoke', 'tablet')
  await page.getByText('This device was revoked.').waitFor()
  expect(await failure.count()).toBe(0)
})

test('a browser that is not let in says what is lost before it forgets its key', async () => {
  const rein = await startAsking()
  const agent = await rein.up('SAY:done')
  const { page } = await pairPage(rein, browser(), { name: 'tablet' })
  await goTo(page, agentPath(agent))
  await page.getByRole('textbox', { name: 'Tell worker' }).fill('a draft')
  await rein.rein('web', 'revoke', 'tablet')
  await page.getByRole('heading', { name: 'Not let in' }).waitFor()
  await page.getByText('That deletes 1 draft.').waitFor()
  expect(await page.getByRole('button', { name: /Forget the key/ }).count()).toBe(1)
})

test('a browser with too many pages open is not told to be paired again', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const { page } = await pairPage(rein, browser(), { name: 'tablet' })
  for (let count = 0; count < maxPages; count += 1) {
    const other = await page.context().newPage()
    await other.goto(page.url())
    await isConnected(other)
  }
  await page.getByText(`more than ${maxPages} pages of Rein open`).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await page.getByText('rein web', { exact: true }).count()).toBe(0)
  expect(await page.getByText('Forget the key').count()).toBe(0)
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
  await page.getByText('deletes 1 message that may not have arrived and 1 draft').waitFor()
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
