import { expect, test } from 'vitest'
import { scopeWords } from '../../src/contract/scopes.ts'
import type { TestRein } from '../e2e/harness.ts'
import { desktop } from './browser.ts'
import { isConnected, openView, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()

/** The texts in the room, once there are some. */
const postsIn = async ({ client, cwd }: TestRein): Promise<string[]> => {
  for await (const { posts } of client.followRooms({ cwd, room: 'general' }))
    if (posts.length > 0) return posts.map(({ text }) => text)
  return []
}

const keptTries = `Object.keys(localStorage).filter((key) => key.startsWith('rein.try.')).length`

test('a post whose answer was lost is the same post after a reload; a browser that forgets its key forgets that, too', async () => {
  const rein = await startAsking()
  await rein.client.createRoom({ cwd: rein.cwd, room: 'general' })
  const { project } = await rein.up('SAY:done')
  const tab = await pairPage(rein, browser(), { name: 'laptop', options: desktop })
  const { page } = tab
  const room = { path: `/rooms/${project}/general`, title: 'general', shows: 'Nothing was posted here yet.' }
  await openView(page, room)
  const field = page.getByRole('textbox', { name: 'Write in general' })
  const send = page.getByRole('button', { name: 'Send' })
  const loseAnswer = async (text: string): Promise<void> => {
    await field.fill(text)
    await tab.hold()
    await send.click()
    await expect.poll(() => postsIn(rein)).toContain(text)
    await tab.cut()
    await page.getByText('it is not known whether it happened').waitFor()
  }
  await loseAnswer('Hello.')
  await page.reload()
  await isConnected(page)
  await openView(page, { ...room, shows: 'Hello.' })
  expect(await field.inputValue()).toBe('Hello.')
  await send.click()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await postsIn(rein)).toEqual(['Hello.'])
  expect(await page.evaluate(keptTries)).toBe(0)
  await loseAnswer('Good bye.')
  expect(await page.evaluate(keptTries)).toBe(1)
  await tab.release()
  await isConnected(page)
  await openView(page, { path: '/settings', title: 'Settings', shows: scopeWords.tell })
  const forget = page.getByRole('button', { name: 'Forget the key of this browser' })
  await forget.click()
  await page.locator('button.is-armed[aria-disabled="false"]').click()
  await page.getByRole('heading', { name: 'Pair this browser' }).waitFor()
  expect(await page.evaluate(keptTries)).toBe(0)
})
