import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { longestNote, mostNotes, rootOf, writeNote } from './folder.ts'
import { Library } from './library.ts'

let root: string
let clock: number
let library: Library

const write = (name: string, text: string): void => {
  mkdirSync(join(root, '.rein/notes'), { recursive: true })
  writeFileSync(join(root, '.rein/notes', name), text)
}
const names = async (cwd = root): Promise<string[]> => (await library.at(cwd)).notes.map(({ name }) => name)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rein-notes-'))
  clock = 10_000
  library = new Library(() => clock)
  return () => rmSync(root, { recursive: true })
})

describe('where notes are', () => {
  test('the nearest directory above that has some, else the top of the work tree', async () => {
    mkdirSync(join(root, '.git'))
    mkdirSync(join(root, 'a/b'), { recursive: true })
    expect(await rootOf(join(root, 'a/b'))).toBe(root)
    mkdirSync(join(root, 'a/.rein/notes'), { recursive: true })
    expect(await rootOf(join(root, 'a/b'))).toBe(join(root, 'a'))
  })

  test('not above the work tree', async () => {
    write('outer.md', '# Outer')
    mkdirSync(join(root, 'inner/.git'), { recursive: true })
    expect(await rootOf(join(root, 'inner'))).toBe(join(root, 'inner'))
  })

  test('a directory that is gone is an error', async () => {
    await expect(library.at(join(root, 'gone'))).rejects.toThrow('There is no directory')
  })
})

describe('notes are read', () => {
  test('in the order of their names; other files are none', async () => {
    write('b.md', '# B')
    write('a.md', '# A')
    write('README.md', '# About this folder')
    write('c.txt', 'no')
    write('.d.md', 'no')
    expect(await names()).toEqual(['a', 'b'])
    expect((await library.at(root)).problems).toEqual([])
  })

  test('again when they have changed, after a second or when something was written', async () => {
    write('a.md', '# A')
    const first = await library.at(root)
    write('a.md', '# Another')
    write('b.md', '# B')
    expect(await library.at(root)).toBe(first)
    clock += 1_000
    const second = await library.at(root)
    expect(second.notes.map(({ title }) => title)).toEqual(['Another', 'B'])
    rmSync(join(root, '.rein/notes/b.md'))
    library.changed(root)
    expect(await names()).toEqual(['a'])
  })

  test('once, as long as they stay as they are', async () => {
    write('a.md', '# A')
    symlinkSync('nowhere.md', join(root, '.rein/notes/broken.md'))
    const { ranking } = await library.at(root)
    clock += 5_000
    expect((await library.at(root)).ranking).toBe(ranking)
  })

  test('without what cannot be one, which is said', async () => {
    write('good.md', '# Good')
    write('long.md', 'x'.repeat(longestNote + 1))
    write('bytes.md', '')
    writeFileSync(join(root, '.rein/notes/bytes.md'), Buffer.from([0xff, 0xfe, 0x41]))
    mkdirSync(join(root, '.rein/notes/dir.md'))
    execFileSync('mkfifo', [join(root, '.rein/notes/pipe.md')])
    symlinkSync('/etc/hostname', join(root, '.rein/notes/out.md'))
    symlinkSync('good.md', join(root, '.rein/notes/within.md'))
    symlinkSync('nowhere.md', join(root, '.rein/notes/broken.md'))
    expect(await names()).toEqual(['good', 'within'])
    expect((await library.at(root)).problems).toEqual([
      expect.stringContaining('broken.md: ENOENT'),
      'bytes.md: it is not valid UTF-8.',
      'dir.md: it is no file.',
      'long.md: it has over 64 KiB.',
      'out.md: it leads out of the project.',
      'pipe.md: it is no file.',
    ])
  })

  test('only so many', async () => {
    for (let at = 0; at < mostNotes + 2; at += 1) write(`n${String(at).padStart(5, '0')}.md`, '# N')
    expect(await names()).toHaveLength(mostNotes)
    expect((await library.at(root)).problems).toEqual(['There are 2002 notes: the last 2 by name are not read.'])
  })

  test('never from a folder that leads elsewhere', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'rein-notes-'))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    writeFileSync(join(elsewhere, 'a.md'), '# A')
    expect(await library.at(root)).toMatchObject({ notes: [], problems: [] })
    clock += 1_000
    mkdirSync(join(root, '.rein'))
    symlinkSync(elsewhere, join(root, '.rein/notes'))
    expect(await library.at(root)).toMatchObject({ notes: [], problems: [expect.stringContaining('leads out')] })
    await expect(writeNote(root, 'b', '# B')).rejects.toThrow('leads out of the project')
  })
})

test('a note is never written over another', async () => {
  const file = await writeNote(root, 'a', '# First\n')
  await expect(writeNote(root, 'a', '# Second\n')).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(file, 'utf8')).toBe('# First\n')
})
