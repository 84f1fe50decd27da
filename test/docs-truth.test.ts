/** Sentences that were tried and found false stay away, and what people looked for in vain is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeTools } from '../src/drivers/free-tools.ts'
import { cliNamed, driverOf } from './support/clis.ts'

const page = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test.each([
  ['README.md', 'rein channel default worker-1', 'it is in a terminal, where the newest Claude Code asks nobody'],
  ['docs/own-adapters.md', '`npm install rein`', 'it is not on npm'],
  ['docs/skills.md', 'npm root -g', 'it is not on npm'],
  ['docs/channels.md', 'startup_grace_s', 'messages from channels do not wait for it'],
  ['docs/configuration.md', 'Setting one is no error', '`rein config set` refuses it'],
  ['docs/configuration.md', 'asks as it always does', 'the newest Claude Code decides itself'],
  ['docs/deployment.md', 'comments and trailing commas are fine', 'Claude Code skips such a file'],
  ['docs/migrating.md', 'so each channel has a route', 'an agent that runs alone needs none'],
  ['docs/migrating.md', '| `.claude/settings.json`, by `rein setup` |', 'that is for --shared'],
  ['docs/drivers.md', '| Claude Code | `.claude/settings.json` |', 'that is for --shared'],
])('%s does not say "%s": %s', (path, words) => {
  expect(page(path).includes(words)).toBe(false)
})

test('README says how rein gets onto the PATH, by a program that is there', () => {
  expect(page('README.md')).toContain('npm install -g "$(npm pack --silent)"')
  const { bin } = JSON.parse(page('package.json')) as { bin: { rein: string } }
  expect(page(bin.rein)).toMatch(/^#!\/usr\/bin\/env node/)
})

test.each(['claude', 'codex', 'copilot', 'gemini', 'opencode'])(
  'docs/bundles.md says whether %s can be carried',
  (name) => {
    const [, refused = ''] = /so are (.+?), until somebody has carried/.exec(page('docs/bundles.md')) ?? []
    const { title, carry } = driverOf(cliNamed(name))
    expect(refused.includes(title.replace('GitHub ', ''))).toBe(carry === null)
  },
)

test('docs/security.md names each MCP tool that an agent may use without asking', () => {
  const [, added = ''] = /Rein adds only permissions([^]*?)\n## /.exec(page('docs/security.md')) ?? []
  expect(freeTools.filter((tool) => !added.includes(`\`${tool}\``))).toEqual([])
})
