import { expect, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { agentPath, goTo, openView, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

test('failures that nobody has read yet fit on the screen, the newest in sight, and go with one press', async () => {
  const rein = await startAsking()
  await rein.client.createRoom({ cwd: rein.cwd, room: 'general' })
  const { project } = await rein.up('SAY:done')
  const { page } = await pairPage(rein, browser(), { options: { ...phone, viewport: { width: 390, height: 500 } } })
  await openView(page, { path: `/rooms/${project}/general`, title: 'general', shows: 'Nothing was posted here yet.' })
  const field = page.getByRole('textbox', { name: 'Write in general' })
  const names = Array.from({ length: 12 }, (_, at) => `nobody-${at}`)
  for (const name of names) {
    await field.fill(`@${name} hello`)
    await page.getByRole('button', { name: 'Send' }).dispatchEvent('click')
    await page.getByText(`No agent here is named ${name}.`).waitFor()
  }
  const { top, hidden } = (await page.evaluate(`(() => {
    const list = document.querySelector('.toasts')
    return { top: list.getBoundingClientRect().top, hidden: list.scrollHeight - list.clientHeight - list.scrollTop }
  })()`)) as { top: number; hidden: number }
  expect(top).toBeGreaterThanOrEqual(0)
  expect(hidden).toBeLessThan(1)
  await page.getByRole('button', { name: 'Dismiss all' }).tap()
  expect(await page.locator('.toast').count()).toBe(0)
})

test('a page that cannot read its key any more says so beside what it shows', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const tab = await pairPage(rein, browser(), { options: desktop })
  const { page } = tab
  const alerts = page.locator('.alerts[role="status"]')
  expect(await alerts.innerText()).toBe('')
  await page.evaluate(`IDBDatabase.prototype.transaction = () => { throw new Error('The disk is full.') }`)
  await tab.cut()
  await alerts.getByText('This browser cannot read its key: The disk is full.').waitFor()
  expect(await page.getByRole('heading', { level: 1, name: 'Agents' }).count()).toBe(1)
})

test('a key that is held down does not stop an agent', async () => {
  const rein = await startAsking()
  const agent = await rein.up('WAIT:forever')
  await rein.sim.reached('forever')
  const { page } = await pairPage(rein, browser(), { options: desktop })
  await goTo(page, agentPath(agent))
  const stop = page.locator('button[title^="Stop"]')
  await stop.focus()
  await page.evaluate(`window.presses = 0; addEventListener('click', () => { window.presses += 1 }, true)`)
  await page.keyboard.down('Enter')
  await page.getByRole('status').filter({ hasText: 'Stop, really?' }).waitFor({ state: 'attached' })
  for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await page.evaluate('window.presses')).toBe(1)
  expect(await rein.client.ps({})).toMatchObject([{ handle: 'worker', state: 'working' }])
})
