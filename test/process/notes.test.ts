import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { actingAs, type Box, createBox, type Env, type Result, type RunOptions } from './harness.ts'
import { runCli } from './in-process-cli.ts'
import { type CallHook, hookCaller } from './hook-caller.ts'
import { type Called, call, toCalled, tokenOf, toolCall } from './mcp-call.ts'

const cleanUps: (() => void)[] = []
afterAll(() => cleanUps.forEach((clean) => clean()))

let box: Box
let agent: Env
const rein = (args: string[], options?: RunOptions): Promise<Result> =>
  runCli(box, ['memory', 'note', ...args], options)
const json = async <T>(args: string[], options?: RunOptions): Promise<T> =>
  JSON.parse((await rein([...args, '--json'], options)).stdout) as T
const fileOf = (name: string): string => join(box.cwd, '.rein/notes', `${name}.md`)
const tool = (name: string, args: object): Promise<Called> => call(box, tokenOf(box, 'worker'), name, args)

beforeAll(async () => {
  box = createBox({}, (clean) => cleanUps.push(clean))
  mkdirSync(join(box.cwd, '.git'))
  await box.daemon()
  await box.runningAgent()
  agent = actingAs(box, 'worker')
})

describe('a person', () => {
  test('writes a note, in sections, never over another, without secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const add = [
      'add',
      'Port 5432 is taken',
      '--problem',
      'A postgres runs.',
      '--fix',
      `Stop it. ${secret}`,
      '--verify',
      'It starts.',
    ]
    mkdirSync(join(box.cwd, 'deep/down'), { recursive: true })
    const added = await rein(add, { cwd: join(box.cwd, 'deep/down') })
    expect(added).toEqual({
      code: 0,
      stdout: `Written to ${fileOf('port-5432-is-taken')}.\n1 secret taken out.\n`,
      stderr: '',
    })
    const text = readFileSync(fileOf('port-5432-is-taken'), 'utf8')
    expect(text).toMatch(/^# Port 5432 is taken\n\n## Problem\n\nA postgres runs\.\n\n## Fix\n\nStop it\. \[redacted:/)
    expect(text).not.toContain(secret)
    const again = await rein(add)
    expect(again).toMatchObject({ code: 5 })
    expect(again.stderr).toContain('There is a note port-5432-is-taken already.')
    expect(readFileSync(fileOf('port-5432-is-taken'), 'utf8')).toBe(text)
  })

  test('writes one from standard input, or in an editor', async () => {
    const piped = await json(['add', 'Fonts differ in CI', '-'], {
      stdin: '# Other title\n\nRun it in the container.\n',
    })
    expect(piped).toMatchObject({ name: 'fonts-differ-in-ci', state: 'written', secrets: 0 })
    expect(readFileSync(fileOf('fonts-differ-in-ci'), 'utf8')).toBe(
      '# Fonts differ in CI\n\nRun it in the container.\n',
    )
    const editor = join(box.root, 'editor')
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/^## Fix$/## Fix\\n\\n$1/" "$2"\n', { mode: 0o755 })
    const env = { EDITOR: `${editor} clean` }
    expect(await rein(['add', 'Stale cache', '--edit'], { env })).toMatchObject({ code: 0 })
    expect(readFileSync(fileOf('stale-cache'), 'utf8')).toContain('## Fix\n\nclean\n')
    expect(await rein(['add', 'Nothing', '--edit'], { env: { EDITOR: 'true' } })).toMatchObject({ code: 5 })
    expect(await rein(['add', 'Nothing', '--edit'], { env: { EDITOR: 'false' } })).toMatchObject({ code: 1 })
    expect(existsSync(fileOf('nothing'))).toBe(false)
  })

  test.each([
    ['nothing to say', ['Only a title'], 2, 'A note needs a fix, or free text.'],
    ['a title without quotes', ['Two', 'words'], 2, 'only - may follow the title'],
    ['both ways at once', ['T', '-', '--fix', 'x'], 2, 'not both'],
    ['no title', [' ', '--fix', 'x'], 2, 'A note needs a title.'],
    ['an empty title', ['', '--fix', 'x'], 2, 'A note needs a title.'],
    ['a title too long', ['x'.repeat(121), '--fix', 'x'], 2, '120 characters'],
    ['no editor', ['T', '--edit'], 2, 'No editor is set.'],
  ])('is told what is wrong: %s', async (_what, args, code, words) => {
    const result = await rein(['add', ...args], { stdin: 'text' })
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(words)
  })

  test('lists, finds and reads notes, and what is none', async () => {
    writeFileSync(fileOf('too-long'), 'x'.repeat(70_000))
    const listed = await rein(['list'])
    expect(listed.stdout).toMatch(/NAME +TITLE\nfonts-differ-in-ci +Fonts differ in CI\nport-5432-is-taken +Port 5432/)
    expect(listed.stdout).toContain('Not read: too-long.md: it has over 64 KiB.')
    const found = await json<object[]>(['search', 'Error: port 5432 is', 'taken', 'by postgres'])
    expect(found[0]).toMatchObject({ name: 'port-5432-is-taken', fits: true, score: expect.any(Number) as number })
    expect((await rein(['search', 'port 5432 taken postgres', '--limit', '1'])).stdout).toMatch(
      /SCORE +NAME.*\n\* +\d+\.\d\d +port-5432-is-taken/,
    )
    expect((await rein(['search', 'elephants'])).stdout).toBe('No note has any of these words.\n')
    expect(await rein(['search'])).toMatchObject({ code: 2 })
    expect((await rein(['show', 'stale-cache'])).stdout).toContain('    # Stale cache')
    expect(await json(['show', 'stale-cache.md'])).toMatchObject({ file: fileOf('stale-cache') })
    const missing = await rein(['show', 'stale-cash'])
    expect(missing).toMatchObject({ code: 3 })
    expect(missing.stderr).toContain('Did you mean stale-cache?')
    expect(await rein(['show', '../../../etc/passwd'])).toMatchObject({ code: 3 })
  })
})

describe('an agent', () => {
  const asAgent = (args: string[]): Promise<Result> => rein(args, { env: agent })
  const names = async (): Promise<string[]> => (await json<{ name: string }[]>(['proposed'])).map(({ name }) => name)

  test('only proposes, and sees nothing of it; a person accepts', async () => {
    const before = readdirSync(join(box.cwd, '.rein/notes'))
    const added = await asAgent(['add', 'Zebra crossing fails', '--fix', 'Paint zebra stripes.'])
    expect(added.stdout).toContain('zebra-crossing-fails is proposed: a person accepts it')
    const proposed = await tool('propose_note', {
      title: 'Giraffe too tall',
      problem: 'It is.',
      fix: 'Raise the roof.',
    })
    expect(proposed).toMatchObject({ isError: false, text: expect.stringContaining('giraffe-too-tall is proposed') })
    expect(readdirSync(join(box.cwd, '.rein/notes'))).toEqual(before)
    expect(await names()).toEqual(['zebra-crossing-fails', 'giraffe-too-tall'])
    for (const command of [['proposed'], ['accept', 'zebra-crossing-fails'], ['reject', 'zebra-crossing-fails']])
      expect(await asAgent(command)).toMatchObject({ code: 5, stderr: expect.stringContaining('An agent may not') })
    expect((await asAgent(['search', 'zebra', 'stripes'])).stdout).toContain('No note')
    expect((await asAgent(['search', 'giraffe', 'roof'])).stdout).toContain('No note')
    expect((await asAgent(['list'])).stdout).not.toMatch(/zebra|proposed/)
    expect((await rein(['list'])).stdout).toContain('2 proposed notes for you to decide about')
    const shown = (await rein(['proposed'])).stdout
    expect(shown).toMatch(/zebra-crossing-fails {2}agent worker, \d+s ago\n {4}# Zebra crossing fails/)
    expect(await rein(['accept', 'zebra-crossing-fails'])).toMatchObject({ code: 0 })
    expect(readFileSync(fileOf('zebra-crossing-fails'), 'utf8')).toContain('Paint zebra stripes.')
    expect((await asAgent(['search', 'zebra'])).stdout).toContain('Paint zebra stripes.')
    expect((await asAgent(['show', 'zebra-crossing-fails'])).stdout).toContain('| Paint zebra stripes.')
    expect(await rein(['reject', 'giraffe-too-tall'])).toMatchObject({ code: 0 })
    expect(await rein(['accept', 'giraffe-too-tall'])).toMatchObject({ code: 3 })
    expect(await names()).toEqual([])
  })

  test('gets its secrets taken out, is held to a size, and to twenty', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const text = (await tool('propose_note', { title: `T ${secret}`, problem: secret, fix: 'x' })).text
    expect(text).toMatch(/secrets? (was|were) taken out/)
    expect(JSON.stringify(await json(['proposed']))).not.toContain(secret)
    const long = await rein(['add', 'Long', '-'], { env: agent, stdin: 'x'.repeat(17_000) })
    expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining('over 16 KiB') })
    const more = Array.from({ length: 22 }, (_, at) =>
      tool('propose_note', { title: `N ${at}`, problem: 'p', fix: 'f' }),
    )
    const refused = (await Promise.all(more)).filter(({ isError }) => isError)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.text).toContain('20 proposed notes wait for a person here.')
    expect(await names()).toHaveLength(20)
  })

  test('and any other model only proposes, too', async () => {
    await rein(['reject', 'n-1'])
    const note = { title: 'By a client', problem: 'p', fix: 'f' }
    const [answer = ''] = await box.client().mcp(toolCall('propose_note', note), box.cwd)
    expect(toCalled(JSON.parse(answer)).text).toContain('by-a-client is proposed')
    expect(existsSync(fileOf('by-a-client'))).toBe(false)
  })
})

describe('an agent that somebody started', () => {
  const asking = (session: string) => ({ session_id: session, prompt: 'Why is port 5432 taken?' })
  const ask = async (callHook: CallHook, session = 'c1'): Promise<string> =>
    (await callHook('UserPromptSubmit', asking(session))).stdout

  /** Nobody waits long for notes to be read: on a busy machine they are told at a later prompt. */
  const told = async (callHook: CallHook, session = 'c1'): Promise<string> => {
    for (;;) {
      const said = await ask(callHook, session)
      if (said !== '') return said
    }
  }

  test('is told once in a conversation, also when the daemon was killed in between', async () => {
    // To ask again and again is a loop, of which an agent would be told.
    const mine = createBox({ REIN_HOOKS_DEADLINE_MS: '4000', REIN_LOOPS_ENABLED: 'false' })
    const daemon = await mine.daemon()
    const { code } = await mine.rein(['memory', 'note', 'add', 'Port 5432 is taken', '--fix', 'Stop postgres.'])
    expect(code).toBe(0)
    const callHook = await hookCaller(mine, { atTheEnd: onTestFinished })
    expect(await told(callHook)).toContain('| Stop postgres.')
    expect(await ask(callHook)).toBe('')
    for await (const { type } of mine.client().tail({ topic: 'notes', after: 0, follow: true }))
      if (type === 'note.told') break
    await daemon.kill()
    await mine.daemon()
    expect(await told(callHook, 'c2')).toContain('| Stop postgres.')
    expect(await ask(callHook)).toBe('')
  })

  test('is told nothing where notes are off; the commands work', async () => {
    const mine = createBox({ REIN_NOTES_ENABLED: 'false', REIN_HOOKS_DEADLINE_MS: '4000' })
    await mine.daemon()
    await mine.rein(['memory', 'note', 'add', 'Port 5432 is taken', '--fix', 'Stop postgres.'])
    const callHook = await hookCaller(mine, { atTheEnd: onTestFinished })
    expect(await ask(callHook)).toBe('')
    expect((await mine.rein(['memory', 'note', 'search', 'port 5432 taken'])).stdout).toContain('Stop postgres.')
  })
})
