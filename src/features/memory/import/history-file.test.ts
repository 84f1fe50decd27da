import { appendFileSync, copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { openDatabase } from '../../../base/store/sqlite.ts'
import { type ImportedCommand, openHistory } from './history-file.ts'
import { usualHistories } from './usual.ts'

const fixtures = join(import.meta.dirname, '../../../../test/fixtures')
const commandsOf = async (...args: Parameters<typeof openHistory>): Promise<ImportedCommand[]> => {
  const found: ImportedCommand[] = []
  for (const history of openHistory(...args)) for await (const command of history.commands()) found.push(command)
  return found
}
const written = (name: string, text: string): string => {
  const file = join(tempDir(), name)
  writeFileSync(file, text)
  return file
}

const atuin = (): string => {
  const file = join(tempDir(), 'history.db')
  const db = openDatabase(file)
  db.exec(`CREATE TABLE history (id text primary key, timestamp integer not null, duration integer not null,
    exit integer not null, command text not null, cwd text not null, session text not null, hostname text not null);
    INSERT INTO history VALUES ('a1', 1700000000000000000, 5, 1, 'make', '/w', 's1', 'box:ada')`)
  db.close()
  return file
}

describe('what a file is', () => {
  test.each([
    ['bash', () => join(fixtures, 'history/bash_history')],
    ['bash', () => written('old-history', 'ls\nmake\n')],
    ['bash', () => written('old', '#1700000000\nls\n')],
    ['zsh', () => join(fixtures, 'history/zsh_history')],
    ['zsh', () => written('.zsh_history', 'ls\n')],
    ['zsh', () => written('hist', ': 1700000000:0;ls\n')],
    ['fish', () => join(fixtures, 'history/fish_history')],
    ['atuin', atuin],
    ['claude', () => join(fixtures, 'claude/2.1.197/run-say.jsonl')],
    ['codex', () => join(fixtures, 'codex/0.166.0/decisions.jsonl')],
  ])('%s', (kind, file) => {
    expect(openHistory(file()).map((history) => history.kind)).toEqual([kind])
  })

  test('it can be said', () => {
    expect(openHistory(written('x', 'ls\n'), 'zsh')).toMatchObject([{ kind: 'zsh' }])
  })

  test('what is none', () => {
    expect(() => openHistory(written('x', '\0x'))).toThrow('does not look like a history')
    expect(() => openHistory(written('x.jsonl', '{"a":1}\n'))).toThrow('does not look like a history')
    expect(() => openHistory(written('README.md', '# Shop\nls\n'))).toThrow('does not look like a history')
    expect(() => openHistory('/nonexistent/x')).toThrow('no file')
  })
})

describe('ids', () => {
  test('read twice, and longer by then: what was there keeps its id', async () => {
    const file = written('.bash_history', 'ls\nmake\nls\n')
    const before = await commandsOf(file)
    appendFileSync(file, 'ls\ngit push\n')
    const after = await commandsOf(file)
    expect(after.slice(0, 3)).toEqual(before)
    expect(new Set(after.map(({ id }) => id)).size).toBe(5)
  })

  test('with times also when the beginning is gone, and in a copy', async () => {
    const line = (n: number): string => `#${1_700_000_000 + n}\nmake ${n % 2}\n`
    const whole = await commandsOf(written('a', [1, 2, 3, 4].map(line).join('')))
    const rest = await commandsOf(written('b', [3, 4, 5].map(line).join('')))
    expect(rest.slice(0, 2).map(({ id }) => id)).toEqual(whole.slice(2).map(({ id }) => id))
  })

  test('of a transcript: those under which the same commands are heard of while they run', async () => {
    const found = await commandsOf(join(fixtures, 'claude/2.1.197/shell.jsonl'))
    expect(found[1]).toMatchObject({
      id: expect.stringMatching(/^cmd_claude_toolu_/) as string,
      outcome: 'failed',
      exit: 3,
      output: 'out\nerr',
      author: 'claude',
      cwd: '/home/dev/project',
    })
    expect(found[0]).toMatchObject({ outcome: 'ok', output: null })
  })

  test('of atuin: its own', async () => {
    expect(await commandsOf(atuin())).toMatchObject([{ id: 'cmd_atuin_a1', session: 's1', outcome: 'failed' }])
  })
})

test('a directory: all transcripts in it, oldest first, and nothing else', async () => {
  const root = tempDir()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  const copy = (from: string, to: string, at: number): void => {
    copyFileSync(join(fixtures, from), join(root, to))
    utimesSync(join(root, to), at, at)
  }
  copy('codex/0.166.0/decisions.jsonl', 'a/new.jsonl', 2000)
  copy('claude/2.1.197/run-say.jsonl', 'a/b/old.jsonl', 1000)
  writeFileSync(join(root, 'other.jsonl'), '{"a":1}\n')
  writeFileSync(join(root, 'notes.txt'), 'ls\n')
  expect(openHistory(root).map(({ kind }) => kind)).toEqual(['claude', 'codex'])
  expect((await commandsOf(root)).map(({ command }) => command)).toEqual(['echo hi', 'echo original', 'echo original'])
})

test('the histories of a user: those that are there, each once', () => {
  const home = tempDir()
  for (const dir of ['.local/share/fish', '.claude/projects', 'codex/sessions'])
    mkdirSync(join(home, dir), { recursive: true })
  for (const file of ['.bash_history', '.local/share/fish/fish_history']) writeFileSync(join(home, file), 'ls\n')
  expect(usualHistories({ HISTFILE: join(home, '.bash_history'), CODEX_HOME: join(home, 'codex') }, home)).toEqual(
    ['.bash_history', '.local/share/fish/fish_history', '.claude/projects', 'codex/sessions'].map((name) =>
      join(home, name),
    ),
  )
  writeFileSync(join(home, '.histfile'), 'ls\n')
  expect(usualHistories({ HISTFILE: join(home, '.histfile') }, home)).toContain(join(home, '.histfile'))
  expect(usualHistories({ HISTFILE: '/dev/null' }, home)).not.toContain('/dev/null')
})
