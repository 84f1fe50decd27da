import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findNamed, takeName } from './shown-name.ts'

/** No other system shows names that only a process itself can change. */
describe.runIf(process.platform === 'linux')('a name', () => {
  const shown = (): string => readFileSync('/proc/self/comm', 'utf8').trim()
  const take = () => takeName() ?? { pid: 0, secret: '' }

  test('is found by its secret, and by the pid of its process first', () => {
    const name = take()
    expect(shown()).toMatch(/^rein-[\w-]{10}$/)
    expect(findNamed(name)).toBe(process.pid)
    expect(findNamed({ ...name, pid: 1 })).toBe(process.pid)
  })

  test('is of no use to whoever only sees it', () => {
    const { secret } = take()
    for (const guess of [shown(), shown().slice(5), `${secret}x`])
      expect(findNamed({ pid: process.pid, secret: guess })).toBeNull()
  })
})
