import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findNamed, takeName } from './shown-name.ts'

const isLinux = process.platform === 'linux'

test('who has taken a name is found by its secret, and by its own pid first', () => {
  const name = takeName()
  expect(name?.pid).toBe(isLinux ? process.pid : undefined)
  if (name === null) return
  expect(readFileSync('/proc/self/comm', 'utf8')).toMatch(/^rein-[\w-]{10}\n$/)
  expect(findNamed(name)).toBe(process.pid)
  expect(findNamed({ ...name, pid: 1 })).toBe(process.pid)
})

test('what everybody can see of a name does not help', () => {
  const name = takeName()
  if (name === null) return expect(isLinux).toBe(false)
  const shown = readFileSync('/proc/self/comm', 'utf8').trim()
  for (const secret of [shown, shown.slice(5), `${name.secret}x`])
    expect(findNamed({ pid: process.pid, secret })).toBeNull()
})
