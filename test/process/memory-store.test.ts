import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportView } from '../../src/contract/outputs/memory.ts'
import type { HistoryView, Ingested } from '../../src/contract/routes/memory.ts'
import { readTree } from '../support/live-tree.ts'
import { type Box, createBox } from './harness.ts'
import { type CliOptions, runCli } from './in-process-cli.ts'

const cleanUps: (() => void)[] = []
let box: Box
beforeAll(async () => {
  box = createBox({}, (clean) => cleanUps.push(clean))
  await box.daemon()
})
afterAll(() => cleanUps.forEach((clean) => clean()))

const json = async <T>(args: string[], options?: CliOptions): Promise<T> => {
  const { stdout } = await runCli(box, [...args, '--json'], options)
  return JSON.parse(stdout) as T
}
const lines = (...commands: object[]): string => commands.map((command) => JSON.stringify(command)).join('\n')
/** The commands that `rein memory history` shows, oldest first. */
const shown = async (...args: string[]): Promise<string[]> =>
  (await json<HistoryView[]>(['memory', 'history', ...args])).map(({ command }) => command).toReversed()
/** As a shell that has ended by now left it. */
const writeShellFile = (session: string, ...frames: [at: number, command: string][]): void => {
  mkdirSync(box.paths.shells, { recursive: true, mode: 0o700 })
  const text = frames.map(([at, command], n) => `\n1\t${n + 1}\t${at}\t5\t0\t${box.cwd}\t${command}\t.\n`)
  writeFileSync(join(box.paths.shells, `${session}.cmds`), text.join(''), { mode: 0o600 })
}
/** The files of Rein in which a text stands, however it is written. */
const filesWith = (text: string): string[] =>
  [...readTree(box.paths.state)]
    .filter(([, content]) => content.toString('latin1').toLowerCase().includes(text))
    .map(([path]) => path)
const historyFile = (name: string, text: string): string => {
  const file = join(box.root, name)
  writeFileSync(file, text)
  return file
}

describe('what is no good takes nothing good with it', () => {
  test('one row of many', async () => {
    const stdin = lines({ command: 'make row-1' }, { command: 'x'.repeat(80_000) }, { command: 'make row-3' })
    expect(await json<Ingested>(['memory', 'ingest'], { stdin })).toMatchObject({ taken: 2, refused: 1 })
    expect(await shown('make row')).toEqual(['make row-1', 'make row-3'])
  })

  test('a time that no clock can show', async () => {
    const file = historyFile('.bash_history', '#1700000000\nmake dated\n#99999999999999999\nmake undated\n')
    const { files } = await json<ImportView>(['memory', 'import', file])
    expect(files).toMatchObject([{ commands: 2, taken: 2, refused: 0 }])
    const found = await json<HistoryView[]>(['memory', 'history', '--all', 'dated'])
    expect(found.map(({ command, at }) => [command, at])).toEqual([
      ['make undated', null],
      ['make dated', 1_700_000_000_000],
    ])
  })

  test('one file among those of all shells', async () => {
    writeShellFile('bash-4194303-1', [Date.now(), 'make by-shell'])
    mkdirSync(join(box.paths.shells, 'bash-4194303-1.cmds.line'))
    writeShellFile('bash-4194303-2', [Date.now(), 'make stuck'])
    mkdirSync(join(box.paths.shells, 'bash-4194303-2.0.taken'))
    expect(await shown('make by-shell')).toEqual(['make by-shell'])
  })
})

describe('a secret in the name of a directory, a session or a command', () => {
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const part = secret.slice(4, 24).toLowerCase()

  const tell = async (where: Box): Promise<void> => {
    const cwd = join(where.root, `tok-${secret}`)
    mkdirSync(cwd)
    const env = { REIN_SESSION_ID: `run-${secret}`, REIN_AUTHOR: `bot-${secret}` }
    const stdin = lines(
      { command: 'make of-this', id: `id-${secret}` },
      { command: 'make of-that', session: env.REIN_SESSION_ID },
    )
    await where.rein(['memory', 'ingest'], { cwd, env: { REIN_CMD: 'make named', ...env } })
    await where.rein(['memory', 'ingest'], { cwd, stdin })
    await where.rein(['memory', 'session-start'], { cwd, env })
  }

  test('is in no file of the daemon', async () => {
    await tell(box)
    const found = await json<HistoryView[]>(['memory', 'history', '--all', 'make'])
    const sessions = new Map(found.map(({ command, session }) => [command, session]))
    expect(sessions.get('make of-that')).toBe(sessions.get('make named'))
    expect(filesWith('make of-this')).not.toEqual([])
    expect(filesWith(part)).toEqual([])
  })

  test('nor in what waits for one', async () => {
    const alone = createBox()
    await tell(alone)
    const { shells } = alone.paths
    const kept = readdirSync(shells).map((name) => readFileSync(join(shells, name), 'utf8'))
    expect(kept.join('')).toContain('make of-this')
    expect(kept.join('').toLowerCase()).not.toContain(part)
  })
})

test('what a shell has told of does not count again by its history, nor after it was forgotten', async () => {
  writeShellFile('bash-4194303-8', [1_700_000_100_250, 'make twin'], [1_700_000_104_900, 'make secretly'])
  await shown('make twin')
  await runCli(box, ['memory', 'forget', 'make secretly', '--yes'])
  const bash = historyFile('twins', '#1700000100\nmake twin\n#1700000104\nmake secretly\n#1700000200\nmake twin\n')
  const { files } = await json<ImportView>(['memory', 'import', '--kind', 'bash', bash])
  expect(files).toMatchObject([{ commands: 3, taken: 1, known: 2 }])
  const zsh = historyFile('zwins', ': 1700000100:0;make twin\n: 1700000200:0;make twin\n: 1700000201:0;make twin\n')
  expect((await json<ImportView>(['memory', 'import', '--kind', 'zsh', zsh])).files).toMatchObject([{ known: 3 }])
  // Each of one history is one of its own, however close they are.
  const alone = historyFile('alone', '#1700000300\nmake alone\n#1700000300\nmake alone\n#1700000301\nmake alone\n')
  expect((await json<ImportView>(['memory', 'import', '--kind', 'bash', alone])).files).toMatchObject([{ taken: 3 }])
  expect(await shown('--all', 'make twin')).toHaveLength(2)
  expect(await shown('--all', 'secretly')).toEqual([])
})

test('a text is forgotten wherever it stands, and it is said where that was', async () => {
  const stdin = lines(
    { command: './login.sh', exit: 1, output: 'no such word: sesame-street-blue' },
    { command: 'make fine', branch: 'sesame-street-blue' },
    { command: 'echo ÄPFEL', exit: 0 },
  )
  await runCli(box, ['memory', 'ingest'], { stdin })
  expect(filesWith('sesame-street-blue')).not.toEqual([])
  expect((await runCli(box, ['memory', 'forget', 'sesame-street-blue', '--all', '--yes'])).stdout).toBe(
    'Forgot 2 commands (1 by their output, 1 by their branch).\n',
  )
  expect(filesWith('sesame-street-blue')).toEqual([])
  expect((await runCli(box, ['memory', 'forget', 'äpfel', '--yes'])).stdout).toBe('Forgot 1 command.\n')
})
