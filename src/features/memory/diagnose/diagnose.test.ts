import { expect, test } from 'vitest'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { diagnose } from './diagnose.ts'
import { FixMemory } from './fix-memory.ts'

test('says what it usually means, what to run, and what helped here', () => {
  const lines = new LineCache()
  const memory = new FixMemory(lines)
  const failure = { command: 'npm test', exit: 127, output: 'sh: 1: vitest: not found' }
  memory.observe({ session: 's', ...failure })
  memory.observe({ session: 's', command: 'npm ci', exit: 0 })
  memory.observe({ session: 's', command: 'npm test', exit: 0 })
  expect(diagnose(failure, lines.read(failure.command), memory)).toMatchObject({
    signature: { stub: 'npm test', exit: 127, line: 'sh: 1: vitest: not found' },
    explanation: { name: 'command-not-found', run: ['command -v vitest', 'ls node_modules/.bin .venv/bin'] },
    fixes: [{ kind: 'before', command: 'npm ci', why: 'worked 1 of 1 time here after this error' }],
  })
})
