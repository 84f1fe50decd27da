import { expect, test } from 'vitest'
import { primerText } from './primer.ts'

const known = (command: string) => ({ purpose: 'other' as const, command, runs: 3, ok: 3, isCounted: true })

test.each([
  'unset REIN_EPHEMERAL',
  'export CI=1',
  'CI=1',
  'A=1 B="x y"',
  'cd src',
  'rein ps',
  '/opt/bin/rein memory history',
  'set -e',
])('%s says nothing of how a project is worked on', (command) => {
  expect(primerText([known(command)], [], 500)).toBeNull()
})

test.each(['source .venv/bin/activate', 'CI=1 make deploy-docs', 'settle', 'reindex --all'])('%s does', (command) => {
  expect(primerText([known(command)], [], 500)).toContain(command)
})
