import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { sessionOfShell, takeSpool } from './spool.ts'

const noProcess = 2 ** 30
const alive = `bash-${process.pid}-1`
const dead = `zsh-${noProcess}-1`

const directory = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-shells-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

const line = (count: number): string => `\n1\t${count}\t1\t1\t0\t/w\tmake ${count}\t.\n`
const write = (dir: string, session: string, count: number): void =>
  appendFileSync(join(dir, `${session}.cmds`), line(count))
const idsIn = (batches: ReturnType<typeof takeSpool>): string[] =>
  batches.flatMap(({ commands }) => commands.map(({ id }) => id))

/** No file is to give trouble here. */
const fail = (_: string, cause: unknown): never => {
  throw cause
}

test('there is nothing where no shell has written', () => {
  expect(takeSpool(join(directory(), 'missing'), fail)).toEqual([])
})

test('a shell that lives is read at the second look, and gets its file back, private', () => {
  const dir = directory()
  write(dir, alive, 1)
  expect(takeSpool(dir, fail)).toEqual([])
  expect(statSync(join(dir, `${alive}.cmds`)).mode & 0o777).toBe(0o600)
  expect(idsIn(takeSpool(dir, fail))).toEqual([`${alive}-1`])
})

test('a shell is found by its process', () => {
  const dir = directory()
  write(dir, alive, 1)
  write(dir, `told-${process.pid}-2`, 1)
  expect(sessionOfShell(dir, process.pid)).toBe(alive)
  expect(sessionOfShell(dir, noProcess)).toBeNull()
})

test('a shell that is gone is read at once, and leaves nothing behind', () => {
  const dir = directory()
  write(dir, dead, 1)
  appendFileSync(join(dir, `${dead}.cmds.line`), '')
  const batches = takeSpool(dir, fail)
  expect(idsIn(batches)).toEqual([`${dead}-1`])
  for (const batch of batches) batch.done()
  expect(readdirSync(dir)).toEqual([])
})

test('an empty file of a shell that is gone is removed', () => {
  const dir = directory()
  appendFileSync(join(dir, `${dead}.cmds`), '')
  expect(takeSpool(dir, fail)).toEqual([])
  expect(readdirSync(dir)).toEqual([])
})

test('what a shell has still open waits, and so nothing is lost', () => {
  const dir = directory()
  const open = openSync(join(dir, `${alive}.cmds`), 'a')
  writeSync(open, line(1))
  expect(takeSpool(dir, fail)).toEqual([])
  expect(takeSpool(dir, fail)).toEqual([])
  writeSync(open, line(2))
  closeSync(open)
  expect(idsIn(takeSpool(dir, fail))).toEqual([`${alive}-1`, `${alive}-2`])
})

test('what is not ours is left alone', () => {
  const dir = directory()
  appendFileSync(join(dir, 'notes.txt'), 'mine')
  appendFileSync(join(dir, 'bash-1.cmds'), 'mine')
  expect(takeSpool(dir, fail)).toEqual([])
  expect(readdirSync(dir).toSorted()).toEqual(['bash-1.cmds', 'notes.txt'])
})

test('one file that cannot be taken keeps no other back, and is named', () => {
  const dir = directory()
  const good = `bash-${noProcess}-2`
  for (const session of [dead, good]) write(dir, session, 1)
  // Nothing can be renamed to where a directory is.
  mkdirSync(join(dir, `${dead}.0.taken`))
  mkdirSync(join(dir, `${good}.cmds.line`))
  const named: string[] = []
  expect(idsIn(takeSpool(dir, (name) => named.push(name)))).toEqual([`${good}-1`])
  expect(named).toEqual([`${dead}.cmds`])
})

/** Shells write; daemons look, keep what they found, and may die before or after that. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), session: fc.constantFrom(alive, dead, `fish-${process.pid}-2`) }),
  fc.record({ kind: fc.constant('look' as const), dies: fc.constantFrom('before', 'after', 'never') }),
)

test('every command is kept exactly once, whenever daemons die', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const dir = mkdtempSync(join(tmpdir(), 'rein-shells-'))
      const [written, kept] = [new Set<string>(), new Set<string>()]
      const look = (dies: string): void => {
        const batches = takeSpool(dir, fail)
        if (dies === 'before') return
        for (const id of idsIn(batches)) kept.add(id)
        if (dies === 'never') for (const batch of batches) batch.done()
      }
      for (const each of steps) {
        if (each.kind === 'look') look(each.dies)
        else {
          write(dir, each.session, written.size + 1)
          written.add(`${each.session}-${written.size + 1}`)
        }
      }
      for (const _ of [1, 2]) look('never')
      expect([...kept].toSorted()).toEqual([...written].toSorted())
      expect(takeSpool(dir, fail)).toEqual([])
      rmSync(dir, { recursive: true })
    }),
    { numRuns: 60 },
  )
})
