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

const shown = (flags: { dryRun?: boolean; json?: boolean }, asked: DeployView = view): string => {
  let printed = ''
  const write = (text: string) => (printed += text)
  const out = createOutput({ stdout: { write }, stderr: { write, isTTY: true } }, {})
  showDeployment({ out, exitWith: () => undefined } as unknown as CliContext, asked, flags, 'See them: rein ps')
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

test('where a file was refused, what comes next is not said', () => {
  const refused: DeployView['files'][number] = { ...file, path: '/shop/AGENTS.md', what: 'refused', diff: '' }
  expect(shown({}, { ...view, files: [...view.files, refused] })).not.toContain('See them')
  expect(shown({}, { files: [], skipped: [{ driver: 'claude', reason: 'not installed' }] })).not.toContain('See them')
})
