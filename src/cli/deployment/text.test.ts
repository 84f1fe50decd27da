import { expect, test } from 'vitest'
import type { DeployView } from '../../contract/routes/deployments.ts'
import type { CliContext } from '../context.ts'
import { createOutput } from '../output.ts'
import { showDeployment } from './text.ts'

const file = { drivers: ['claude'], line: null, column: null, reason: null }
const view: DeployView = {
  files: [
    { ...file, path: '/shop/.mcp.json', what: 'created', diff: '+{}' },
    { ...file, path: '/shop/GEMINI.md', what: 'unchanged', diff: '' },
  ],
  skipped: [],
}

const shown = (flags: { dryRun?: boolean; json?: boolean }): string => {
  let printed = ''
  const write = (text: string) => (printed += text)
  const out = createOutput({ stdout: { write }, stderr: { write, isTTY: true } }, {})
  showDeployment({ out } as unknown as CliContext, view, flags, 'See them: rein ps')
  return printed
}

test('a preview ends with how many files would change', () => {
  expect(shown({ dryRun: true })).toMatch(/\n1 file would change; nothing was changed yet\.\n$/)
  expect(shown({})).not.toContain('would change')
  expect(shown({ dryRun: true, json: true })).not.toContain('would change')
})

test('what is done ends with what comes next', () => {
  expect(shown({})).toMatch(/\nSee them: rein ps\n$/)
  expect(shown({ dryRun: true })).not.toContain('See them')
  expect(shown({ json: true })).not.toContain('See them')
})
