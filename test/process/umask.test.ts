import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileAtomic } from '../../src/base/util/atomic-write.ts'
import { ensurePrivateDir } from '../../src/base/util/private-dir.ts'

const mode = (file: string): number => statSync(file).mode & 0o777

let base: string
let umask: number
beforeEach(() => {
  umask = process.umask()
  base = mkdtempSync(path.join(tmpdir(), 'rein-umask-'))
})
afterEach(() => {
  process.umask(umask)
  rmSync(base, { recursive: true })
})

test.each([0o000, 0o277])('with umask %o directories and files are still for us alone, and usable', async (mask) => {
  process.umask(mask)
  const dir = path.join(base, 'rein')
  ensurePrivateDir(dir)
  await writeFileAtomic(path.join(dir, 'daemon.json'), '{}')
  expect([mode(dir), mode(path.join(dir, 'daemon.json'))]).toEqual([0o700, 0o600])
})
