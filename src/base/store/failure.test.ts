import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { ReinError } from '../../contract/errors.ts'
import { NotPrivateError } from '../util/private-dir.ts'
import { storageError } from './failure.ts'
import { openDatabase } from './sqlite.ts'

const system = (code: string, message: string) => Object.assign(new Error(message), { code })
const node = (errcode: number, message: string) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message })

test.each([
  ['storage_full', node(13, 'database or disk is full')],
  ['storage_full', node(778, 'disk I/O error')],
  ['storage_full', node(1034, 'disk I/O error')],
  ['storage_full', system('ENOSPC', 'ENOSPC: no space left on device, write')],
  ['storage_full', system('EDQUOT', 'EDQUOT: disk quota exceeded, write')],
  ['storage_readonly', node(8, 'attempt to write a readonly database')],
  ['storage_readonly', node(1544, 'attempt to write a readonly database')],
  ['storage_readonly', node(14, 'unable to open database file')],
  ['storage_readonly', system('EROFS', 'EROFS: read-only file system, mkdir')],
  ['storage_readonly', system('EACCES', "EACCES: permission denied, mkdir '/home/full/rein'")],
  ['failed', node(2067, 'UNIQUE constraint failed: agent.project')],
  ['failed', new Error('the plan was carefully written')],
  ['failed', 'a string'],
])('%s: %s', (code, cause) => {
  expect(storageError(cause)).toMatchObject({ code })
})

test('an error of ours keeps its name', () => {
  const error = new ReinError('cursor_ahead', 'x')
  expect(storageError(error)).toBe(error)
})

test('a directory that others could read is no failure of the database', () => {
  const error = storageError(new NotPrivateError('/home/ann/rein', 'is open to other users', 'chmod'))
  expect(error).toMatchObject({ code: 'refused', message: '/home/ann/rein is open to other users' })
})

test('the database that this Node really uses: full, unwritable, missing', () => {
  const path = join(tempDir(), 'a.db')
  const db = openDatabase(path)
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (s TEXT)')
  const failureOf = (work: () => void): string => {
    try {
      work()
    } catch (cause) {
      return storageError(cause).code
    }
    return 'none'
  }
  expect(failureOf(() => db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(10_000)))).toBe('storage_full')
  db.close()
  expect(failureOf(() => openDatabase(path, { readOnly: true }).exec('DELETE FROM t'))).toBe('storage_readonly')
  expect(failureOf(() => openDatabase(`${path}-none`, { readOnly: true }).exec('SELECT 1'))).toBe('storage_readonly')
})
