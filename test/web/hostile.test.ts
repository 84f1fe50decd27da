import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookUntil } from '../e2e/look.ts'
import type { Watched } from './browser.ts'
import { agentPath, asksFirst, expectQuiet, goTo, pairPage, startAsking } from './harness.ts'
import { hostileStrings, slowTexts } from './hostile-strings.ts'
import { sharedBrowser } from './shared-browser.ts'

const browser = sharedBrowser()
const all = hostileStrings.join('\n')
/** As much as is shown of the name of a branch. */
const branches = [
  '<!--><img src=x onerror=pwn(1)>-->',
  '<script>pwn(1)</script>',
  '"><img src=x onerror=pwn(1)>',
  '" onmouseover=pwn(1) autofocus onfocus=pwn(1) x="',
  "'><img src=x onerror=pwn(1)>",
  'javascript:pwn(1)',
].join(' ')

/** Elements and attributes that no view of the page has: text became markup. */
const intruders = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const wrong = element.matches('script:not([src]), iframe, object, embed, base, form[action], style, link, meta, img, video, audio, math, marquee')
  const attributes = [...element.attributes].filter(({ name, value }) =>
    /^on/.test(name) || name === 'srcdoc' || name === 'formaction' ||
    (/^(xlink:)?href$|^src$/.test(name) && !/^(#|https?:)/.test(value)))
  return wrong || attributes.length > 0 ? [element.outerHTML.slice(0, 200)] : []
})`

const expectHarmless = async (tab: Watched, shows: string): Promise<void> => {
  await tab.page.getByText(shows, { exact: false }).first().waitFor()
  expect(await tab.page.evaluate(intruders)).toEqual([])
  expectQuiet(tab)
}

const openAll = (page: Page): Promise<unknown> =>
  page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`)

test(`none of ${hostileStrings.length} hostile texts runs in a conversation, a question or a list of agents`, async () => {
  expect(hostileStrings.length).toBeGreaterThanOrEqual(60)
  const said = hostileStrings.map((text) => text.replaceAll(';;', '')).join(' \u00a0 ')
  const rein = await startAsking({ scenario: `on now say it do THINK:${said} ;; SAY:${said}` })
  const cwd = join(rein.cwd, '<img src=x onerror=pwn(1)>')
  mkdirSync(cwd)
  writeFileSync(join(rein.cwd, 'all.txt'), all)
  execFileSync('git', ['init', '-q', '-b', '<svg/onload=pwn(1)>', cwd])
  const tab = await pairPage(rein, browser(), { options: { viewport: { width: 1200, height: 3000 } } })
  const write = { file_path: join(cwd, '"><img src=x onerror=pwn(1)>.txt'), content: all }
  const print = { command: 'cat ../all.txt; touch done', description: all }
  const script = `CALL:Write${JSON.stringify(write)} ;; CALL:Bash${JSON.stringify(print)} ;; SAY:${said} ;; SAY:end`
  const agent = await rein.up(script, { ...asksFirst, cwd })
  await tab.page.getByRole('link', { name: /^Answer:/ }).waitFor()
  await expectHarmless(tab, 'pwn(1)')
  await tab.page.locator('.branch').filter({ hasText: '<svg/onload=pwn(1)>' }).waitFor()
  await goTo(tab.page, '/questions')
  await expectHarmless(tab, '<keygen autofocus onfocus=pwn(1)>')
  await tab.page.getByRole('button', { name: 'Allow once' }).click()
  await tab.page.getByText('cat ../all.txt').first().waitFor()
  await expectHarmless(tab, '<keygen autofocus onfocus=pwn(1)>')
  await tab.page.getByRole('button', { name: 'Allow once' }).click()
  await rein.sim.next((request) => request.isMain && request.newText.includes('</title><script>pwn(1)</script>'))
  // Whoever may write there may name a branch as git would not.
  writeFileSync(join(cwd, '.git/HEAD'), `ref: refs/heads/${branches}`)
  await goTo(tab.page, agentPath(agent))
  await tab.page.getByRole('textbox', { name: 'Tell worker' }).fill(`now say it ${all}`)
  await tab.page.getByRole('button', { name: 'Tell', exact: true }).click()
  await tab.page.locator('.told').waitFor()
  await tab.page.locator('.branch').filter({ hasText: '<!--><img src=x onerror=pwn(1)>-->' }).waitFor()
  await openAll(tab.page)
  await expectHarmless(tab, '<marquee onstart=pwn(1)>')
  await expectHarmless(tab, branches)
  for (const text of hostileStrings) {
    await goTo(tab.page, `/agent/${encodeURIComponent(text)}/${encodeURIComponent(text)}`)
    await goTo(tab.page, `/${text}?question=${text}`)
  }
  await expectHarmless(tab, 'This page does not exist.')
})

test('nor in rooms, events, tasks and settings', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser(), { name: 'laptop' })
  const { project } = await rein.up('SAY:hello')
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await rein.rein(...args)
    expect([code, stderr]).toEqual([0, expect.anything()])
  }
  const short = hostileStrings.slice(0, 12).join(' ').slice(0, 150)
  await run('chat', 'create', 'general', '--about', short)
  for (const text of hostileStrings) await rein.client.post({ cwd: rein.cwd, room: 'general', text })
  await run('task', 'new', 'parser', '--prompt', all)
  await run('decision', 'log', short)
  await goTo(tab.page, '/rooms')
  await expectHarmless(tab, 'pwn(1)')
  await goTo(tab.page, `/rooms/${project}/general`)
  await expectHarmless(tab, '[x]: javascript:pwn(1)')
  await goTo(tab.page, `/tasks/${project}`)
  await expectHarmless(tab, 'parser')
  await goTo(tab.page, `/tasks/${project}/parser`)
  await expectHarmless(tab, 'pwn(1)')
  await goTo(tab.page, `/bus/${project}`)
  await expectHarmless(tab, 'Events')
  await goTo(tab.page, '/settings')
  await expectHarmless(tab, 'laptop')
})

test('lines that are slow to read do not stop the page', async () => {
  const rein = await startAsking()
  const tab = await pairPage(rein, browser())
  const { project } = await rein.up('SAY:hello')
  await rein.client.createRoom({ cwd: rein.cwd, room: 'slow' })
  for (const text of [...slowTexts, 'all of them']) await rein.client.post({ cwd: rein.cwd, room: 'slow', text })
  await goTo(tab.page, `/rooms/${project}/slow`)
  await expectHarmless(tab, 'all of them')
  const field = tab.page.getByRole('textbox', { name: 'Write in slow' })
  await field.fill('still here')
  expect(await field.inputValue()).toBe('still here')
})

test('text that a script would make into markup is refused by the browser', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const tab = await pairPage(rein, browser())
  const tries = `['innerHTML', 'outerHTML'].map((name) => {
    try {
      const element = document.createElement('div')
      document.body.append(element)
      element[name] = '<b>x</b>'
      return 'taken'
    } catch (cause) {
      return cause.name
    }
  })`
  expect(await tab.page.evaluate(tries)).toEqual(['TypeError', 'TypeError'])
  const refused = (): string[] => tab.troubles.filter((trouble) => trouble.startsWith('require-trusted-types-for'))
  expect(await lookUntil(refused, ({ length }) => length === 2)).toHaveLength(2)
})
