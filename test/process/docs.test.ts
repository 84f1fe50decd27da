import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { DocsView } from '../../src/contract/outputs/local.ts'
import { runCli } from './in-process-cli.ts'

/** Reading pages needs no daemon and no state. */
const nowhere = { cwd: tmpdir(), env: { HOME: '/nonexistent', REIN_HOME: '/nonexistent/rein' } }
const rein = (...args: string[]) => runCli(nowhere, args)

test('without a topic it lists the pages by section', async () => {
  const { stdout, code } = await rein('docs')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Start\n {2}install .+\n {2}first-agent +start one, tell it something/)
  expect(stdout).toMatch(/\n\nReference\n {2}cli +every command/)
})

test('a page is printed as Markdown, also by the beginning of its name', async () => {
  expect((await rein('docs', 'first-agent')).stdout).toMatch(/^# Your first agent\n/)
  expect((await rein('docs', 'troubl')).stdout).toMatch(/^# Troubleshooting\n/)
  expect((await rein('docs', 'first-agent.md', '--path')).stdout.trim()).toMatch(/\/docs\/first-agent\.md$/)
})

test('with --json every page has a file, and one that is named its text', async () => {
  const all = JSON.parse((await rein('docs', '--json')).stdout) as DocsView
  expect(all.text).toBeNull()
  expect(all.pages.filter(({ path }) => !existsSync(path))).toEqual([])
  const one = JSON.parse((await rein('docs', 'faq', '--json')).stdout) as DocsView
  expect(one.pages.map(({ topic }) => topic)).toEqual(['faq'])
  expect(one.text).toMatch(/^# FAQ\n/)
})

test('an unknown topic names those that come near', async () => {
  const { stderr, code } = await rein('docs', 'webhook-adapter')
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^rein: There is no page "webhook-adapter"\.\n {6}Did you mean: rein docs webhooks, /),
  ])
  expect((await rein('docs', 'quantum')).stderr).toContain('List the pages: rein docs\n')
  expect((await rein('docs', 'agents')).stderr).toContain('Did you mean: rein docs first-agent, ')
  expect((await rein('docs', 'tell')).stderr).toContain('How the command is used: rein help tell\n')
  expect((await rein('docs', 'crash')).stderr).toContain('Did you mean: rein docs faq, rein docs supervision?')
})

test('a shell completes topics', async () => {
  expect((await rein('__complete', 'docs', 'first')).stdout).toMatch(/^first-agent\t.*\nfirst-team\t/)
})
