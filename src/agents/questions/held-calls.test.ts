import { expect, test } from 'vitest'
import { Grants, heldQuestion } from './held-calls.ts'

const grantFor = (name: string, input: Record<string, unknown>): Grants => {
  const grants = new Grants(() => 0)
  grants.give(heldQuestion({ name, input }, 'sure?'))
  return grants
}

test.each(['Bash', 'exec_command', 'run_shell_command'])('what is said of a command of %s is no part of it', (name) => {
  const grants = grantFor(name, { command: 'deploy', description: 'Deploys' })
  expect(grants.has({ name, input: { command: 'deploy', description: 'Brings it out' } })).toBe(true)
  expect(grants.has({ name, input: { command: 'deploy --all', description: 'Deploys' } })).toBe(false)
})

test('where a protocol tells a command only in its description, that is what it does', () => {
  const grants = grantFor('execute', { description: 'deploy' })
  expect(grants.has({ name: 'execute', input: { description: 'deploy' } })).toBe(true)
  expect(grants.has({ name: 'execute', input: { description: 'deploy --all' } })).toBe(false)
})

test.each(['description', 'explanation', 'justification'])(
  'the %s that another tool is given is what it does',
  (field) => {
    const name = 'mcp__tracker__create_issue'
    const grants = grantFor(name, { title: 'x', [field]: 'harmless' })
    expect(grants.has({ name, input: { title: 'x', [field]: 'harmful' } })).toBe(false)
    expect(grants.has({ name, input: { title: 'x', [field]: 'harmless' } })).toBe(true)
  },
)
