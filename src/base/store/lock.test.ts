import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { takeLock } from './lock.ts'

test('one at a time', () => {
  const path = join(tempDir(), 'lock.db')
  const lock = takeLock(path)
  expect(lock).not.toBeNull()
  expect(takeLock(path)).toBeNull()
  lock?.release()
  const next = takeLock(path)
  expect(next).not.toBeNull()
  next?.release()
})

test('a lock knows when its name was removed, and can be taken again', () => {
  const path = join(tempDir(), 'lock.db')
  const lock = takeLock(path)
  expect(lock?.isInPlace()).toBe(true)
  rmSync(path)
  expect(lock?.isInPlace()).toBe(false)
  const next = takeLock(path)
  lock?.release()
  expect([lock?.isInPlace(), next?.isInPlace(), takeLock(path)]).toEqual([false, true, null])
  next?.release()
})

test('a place where nothing can be written is an error, not a lost race', () => {
  expect(() => takeLock(join(tempDir(), 'no/such/directory/lock.db'))).toThrow(/directory/)
})
