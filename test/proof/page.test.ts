import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TestRein } from '../e2e/harness.ts'
import { lookUntil } from '../e2e/look.ts'
import { browserProgram } from '../support/abilities.ts'
import { enter, pairDevice } from '../support/page-client.ts'
import { startBrowser } from '../web/browser.ts'
import { agentPath, asksFirst, expectQuiet, goTo, openView, pairPage, startAsking } from '../web/harness.ts'

/** A phone as its owner uses it. */
interface Phone {
  allow: () => Promise<unknown>
  tell: (text: string) => Promise<unknown>
  /** Resolves when it shows that the text was seen, with the entry that proves it. */
  seen: (text: string) => Promise<string>
  expectQuiet: () => void
}

const prompt = 'RUN:echo it-$((40+2))-ran > ran.txt; cat ran.txt ;; WAIT:told ;; RUN:touch two.txt ;; SAY:done'

const inBrowser = async (rein: TestRein): Promise<Phone> => {
  const tab = await pairPage(rein, await startBrowser(onTestFinished), { name: 'phone' })
  const { page } = tab
  const openAgent = async (): Promise<void> => {
    const [agent] = await rein.client.ps({})
    if (agent !== undefined)
      await openView(page, { path: agentPath(agent), title: 'worker', shows: prompt.slice(0, 20) })
  }
  const told = (text: string) => page.locator('.told').filter({ hasText: text })
  return {
    allow: async () => {
      await goTo(page, '/')
      await page.getByRole('link', { name: /^Answer:/ }).tap()
      await page.getByRole('button', { name: 'Allow once' }).tap()
    },
    tell: async (text) => {
      await openAgent()
      await page.getByRole('textbox', { name: 'Tell worker' }).fill(text)
      await page.getByRole('button', { name: 'Tell', exact: true }).tap()
    },
    seen: async (text) => {
      await openAgent()
      await told(text).locator('.receipt[data-state="seen"]').waitFor()
      const row = page.locator('.list-row').filter({ has: told(text) })
      return String(await row.getAttribute('data-key')).split(':')[1] ?? ''
    },
    expectQuiet: () => expectQuiet(tab),
  }
}

/** Without a browser: what the page says to the daemon. */
const bySocket = async ({ client, paths }: TestRein): Promise<Phone> => {
  const { port } = JSON.parse(readFileSync(paths.endpoint, 'utf8')) as { port: number }
  const tab = await enter(await pairDevice(client, port))
  const target = async (): Promise<{ target: string; project: string }> => {
    const [agent] = await client.ps({})
    return { target: `${agent?.project}/${agent?.handle}`, project: agent?.project ?? '' }
  }
  const evidenceOf = async (text: string): Promise<string | undefined> => {
    const receipts = await client.receipts({ ...(await target()), lines: 10 })
    const found = receipts.find((receipt) => JSON.stringify(receipt).includes(text))
    return found?.steps.find(({ state }) => state === 'seen')?.evidence?.entry
  }
  return {
    allow: async () => {
      const asked = await lookUntil(
        () => client.questions({}),
        (open) => open.length > 0,
      )
      await tab.call('answer', { ...(await target()), answer: 'allow', question: asked[0]?.question.id })
    },
    tell: async (text) => tab.call('tell', { ...(await target()), text, from: 'user' }),
    seen: async (text) =>
      String(
        await lookUntil(
          () => evidenceOf(text),
          (entry) => entry !== undefined,
        ),
      ),
    expectQuiet: () => undefined,
  }
}

test('a paired phone answers a permission, and what it tells is seen at the entry that its receipt names', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const phone = await (browserProgram === null ? bySocket : inBrowser)(rein)
  await rein.up(prompt, asksFirst)
  await phone.allow()
  await rein.sim.next((request) => request.isMain && request.newText.includes('it-42-ran'))
  expect(existsSync(join(rein.cwd, 'ran.txt'))).toBe(true)
  expect((await rein.rein('story', 'worker', '--json')).stdout).toContain('phone')

  await rein.sim.reached('told')
  await phone.tell('Use tabs.')
  await rein.record('directives', (one) => one.type === 'directive.accepted')
  rein.sim.release('told')
  await phone.allow()
  const entry = await phone.seen('Use tabs.')
  const seen = await rein.record('directives', (one) => one.type === 'directive.seen')
  expect(seen.type === 'directive.seen' ? seen.body.evidence : null).toMatchObject({ source: 'transcript', entry })
  expect(rein.sim.requests.some(({ text }) => text.includes('Use tabs.'))).toBe(true)
  phone.expectQuiet()
})
