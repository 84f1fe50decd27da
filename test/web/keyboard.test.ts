import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop } from './browser.ts'
import { agentPath, asksFirst, openView, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

/** Runs in the page: everything that can be pressed, typed into or scrolled now, each with a mark. */
const markControls = `(() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const seen = [...all].filter((one) => one.checkVisibility() && !one.disabled)
  // Of the choices of a group the arrow keys reach the others.
  const own = seen.filter((one) => one.type !== 'radio' || one.checked)
  own.forEach((one, at) => { one.dataset.mark = String(at) })
  return own.map((one) => one.outerHTML.slice(0, 120))
})()`

/** Runs in the page: what has the focus, and whether a person sees that. */
const readFocus = `(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  return { mark: one.dataset.mark ?? null, isSeen, html: one.outerHTML.slice(0, 120) }
})()`

interface Focus {
  mark: string | null
  isSeen: boolean
  html: string
}

/** Goes through the view with the Tab key alone, as often as it has controls and some more. */
const walk = async (page: Page, count: number): Promise<Focus[]> => {
  const focused: Focus[] = []
  for (let at = 0; at < count + 5; at += 1) {
    await page.keyboard.press('Tab')
    focused.push(await page.evaluate<Focus>(readFocus))
  }
  return focused
}

test('every control of every view is reached with the Tab key, and shows that it has the focus', async () => {
  const rein = await startAsking()
  const { client, cwd } = rein
  await client.createRoom({ cwd, room: 'general', about: 'Who does what' })
  await client.post({ cwd, room: 'general', text: 'Release at five.' })
  await rein.rein('task', 'new', 'parser', '--prompt', 'Parse the dates of the orders')
  // It waits for an answer: nothing moves on the page meanwhile.
  const agent = await rein.up('RUN:touch ran.txt ;; SAY:done', asksFirst)
  const { project } = agent
  const views = [
    { title: 'Agents', path: '/', shows: 'asks you' },
    { title: 'worker', path: agentPath(agent), shows: 'Asks:' },
    { title: 'Questions', path: '/questions', shows: 'Allow once' },
    { title: 'Rooms', path: '/rooms', shows: 'Who does what' },
    { title: 'general', path: `/rooms/${project}/general`, shows: 'Release at five.' },
    { title: 'Events', path: `/bus/${project}`, shows: 'No open events' },
    { title: 'Tasks', path: '/tasks', shows: 'parser' },
    { title: 'parser', path: `/tasks/${project}/parser`, shows: 'made the task' },
    { title: 'Settings', path: '/settings', shows: 'Paired browsers' },
  ]
  const { page } = await pairPage(rein, browser(), { options: { ...desktop, reducedMotion: 'reduce' } })
  for (const view of views) {
    await openView(page, view)
    if (view.path === '/questions') await page.locator('[data-answer="allow"]:enabled').waitFor()
    const controls = await page.evaluate<string[]>(markControls)
    expect(controls.length).toBeGreaterThan(5)
    const focused = await walk(page, controls.length)
    const reached = new Set(focused.map(({ mark }) => mark))
    const missed = controls.filter((_, at) => !reached.has(String(at)))
    expect({ view: view.title, missed }).toEqual({ view: view.title, missed: [] })
    const unseen = focused.filter(({ mark, isSeen }) => mark !== null && !isSeen).map(({ html }) => html)
    expect({ view: view.title, unseen }).toEqual({ view: view.title, unseen: [] })
  }
})

test('the palette goes to a view, and an agent is told something, by keys alone', async () => {
  const rein = await startAsking()
  const { page } = await pairPage(rein, browser(), { options: desktop })
  await rein.up('SAY:hello')
  await page.getByRole('link', { name: 'worker' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('worker')
  const found = page.getByRole('option', { name: /^worker/ })
  await found.and(page.locator('[aria-selected="true"]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'worker' }).waitFor()
  await page.getByText('hello', { exact: true }).waitFor()
  await page.keyboard.press('t')
  await page.keyboard.type('Use tabs.')
  await page.keyboard.press('Enter')
  await page.locator('.told').filter({ hasText: 'Use tabs.' }).waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('q')
  await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})
