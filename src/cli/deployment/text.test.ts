import { describe, expect, test } from 'vitest'
import type { DeployView } from '../../contract/routes/deployments.ts'
import { createOutput } from '../output.ts'
import { type SetupFlags, showDeployment } from './text.ts'

type DeployedFile = DeployView['files'][number]

const file = { drivers: ['claude'], line: null, column: null, reason: null }
const view: DeployView = {
  files: [
    {
      ...file,
      path: '/shop/.mcp.json',
      what: 'created',
      diff: '--- /dev/null\n+++ /shop/.mcp.json\n@@ -0,0 +1,1 @@\n+{}',
    },
    { ...file, path: '/shop/GEMINI.md', what: 'unchanged', diff: '' },
  ],
  skipped: [],
}
const refused: DeployedFile = { ...file, path: '/shop/AGENTS.md', what: 'refused', reason: 'is a directory', diff: '' }

const shown = (
  flags: SetupFlags & { json?: boolean },
  asked: DeployView = view,
  next: string[] = ['See it: rein ps'],
): string => {
  let printed = ''
  const write = (text: string) => (printed += text)
  const out = createOutput({ stdout: { write }, stderr: { write, isTTY: true } }, {})
  const context = { out, exitWith: () => undefined, cwd: () => '/shop' }
  showDeployment(context, asked, flags, { command: 'rein setup', next })
  return printed
}

describe('a preview', () => {
  test('is one line for each file, and ends with what to type', () => {
    expect(shown({ dryRun: true, driver: ['claude'], shared: true })).toBe(`\
create     .mcp.json  +1  claude
keep       GEMINI.md      claude
1 file would change; nothing was changed yet.
See every line: rein setup --driver claude --shared --dry-run --verbose
Do it: rein setup --driver claude --shared
`)
  })

  test('shows every line with --verbose, before the list', () => {
    expect(shown({ dryRun: true, verbose: true })).toMatch(/^--- \/dev\/null\n[^]*\n\+\{\}\ncreate {5}\.mcp\.json/)
    expect(shown({ dryRun: true, verbose: true })).not.toContain('See every line')
  })

  test('of nothing, or as JSON, asks for nothing', () => {
    expect(shown({ dryRun: true, json: true })).not.toContain('Do it')
    expect(shown({ dryRun: true }, { ...view, files: view.files.slice(1) })).toBe('keep       GEMINI.md    claude\n')
  })
})

test('skills of a directory are one line, unless something else happens to one of them', () => {
  const skill = (name: string, what: DeployedFile['what']): DeployedFile => ({
    ...file,
    path: `/home/.claude/skills/${name}/SKILL.md`,
    what,
    diff: what === 'changed' ? '--- a\n+++ b\n@@ -1,1 +1,2 @@\n-one\n+two\n+--- three' : '',
  })
  const files = [skill('a', 'changed'), skill('b', 'unchanged'), skill('c', 'changed')]
  expect(shown({}, { files, skipped: [] }, [])).toBe(`\
changed    /home/.claude/skills/*/SKILL.md (2 files)  +4 -2  claude
unchanged  /home/.claude/skills/b/SKILL.md                   claude
`)
})

test('what is done ends with what comes next', () => {
  expect(shown({})).toMatch(/\nSee it: rein ps\n$/)
  expect(shown({ dryRun: true })).not.toContain('See it')
  expect(shown({ json: true })).not.toContain('See it')
})

test('a refused file is named with its whole path and why, and what comes next is not said', () => {
  const text = shown({}, { ...view, files: [...view.files, refused] })
  expect(text).toMatch(/\nrefused {4}\/shop\/AGENTS\.md is a directory \(claude\)\n$/)
  expect(shown({}, { files: [], skipped: [{ driver: 'claude', reason: 'not installed' }] })).not.toContain('See it')
})
