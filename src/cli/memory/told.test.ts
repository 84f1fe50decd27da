import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { toldCommands, toldSession } from './told.ts'

const now = 1_700_000_000_000
const world = (env: Record<string, string>, stdin: string | null = '') => ({
  env,
  stdin: stdin === null ? Object.assign(Readable.from([]), { isTTY: true }) : Readable.from([Buffer.from(stdin)]),
  cwd: () => '/here',
  now: () => now,
})

describe('a command', () => {
  test('may be told by the environment', async () => {
    const env = {
      REIN_CMD: 'make test',
      REIN_CWD: '/w',
      REIN_EXIT: '2',
      REIN_TS: '1690000000000',
      REIN_DURATION_MS: '1500',
      REIN_SESSION_ID: 's1',
      REIN_AUTHOR: 'my-agent',
    }
    const [told, ...others] = await toldCommands(world(env, 'not read'))
    expect(others).toEqual([])
    expect(told).toMatchObject({
      command: 'make test',
      cwd: '/w',
      exit: 2,
      at: 1_690_000_000_000,
      durationMs: 1500,
      session: 's1',
      author: 'my-agent',
    })
    expect((await toldCommands(world(env)))[0]?.id).toBe(told?.id)
  })

  test.each([
    ['claude-code', 'claude'],
    ['gemini-cli', 'gemini'],
    ['zsh', 'person'],
    ['my-agent', 'my-agent'],
  ])('the shell %s of the other names is %s', async (shell, author) => {
    const [told] = await toldCommands(world({ CLAI_CMD: 'ls', CLAI_SHELL: shell }))
    expect(told).toMatchObject({ command: 'ls', author, cwd: '/here', exit: null, at: now })
  })

  test('may be told as JSON, one a line', async () => {
    const lines = [
      { command: 'a\nb', exit: 0, durationMs: 10 },
      { command: 'c', id: 'x', output: 'no', cwd: null },
    ]
    const told = await toldCommands(world({}, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`))
    expect(told).toMatchObject([
      { command: 'a\nb', exit: 0, at: now - 10, author: 'person', cwd: '/here' },
      { command: 'c', id: 'x', output: 'no', cwd: '/here' },
    ])
    expect(told[0]?.id).not.toBe((await toldCommands(world({}, JSON.stringify(lines[0]))))[0]?.id)
  })

  test.each([
    [{}, null, 'nothing to tell'],
    [{}, 'hello', 'Line 1'],
    [{}, '{"cmd":"ls"}', 'no command'],
    [{}, '', 'nothing to tell'],
    [{}, '{"command":"ls","exit":"1"}', 'exit must be a whole number'],
    [{}, '{"command":"ls","exit":1.5}', 'exit must be a whole number'],
    [{}, '{"command":"ls","at":1e300}', 'at must be a whole number'],
    [{}, '{"command":"ls","outcome":"fine"}', 'outcome must be one of'],
    [{}, '{"command":"ls","cwd":3}', 'cwd must be a text'],
    [{ REIN_CMD: 'ls', REIN_EXIT: 'x' }, '', 'exit must be a whole number'],
  ])('%j and %j is a mistake', async (env, stdin, message) => {
    await expect(toldCommands(world(env, stdin))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    })
  })

  test('its directory is absolute', async () => {
    expect(await toldCommands(world({ REIN_CMD: 'ls', REIN_CWD: 'sub/..' }))).toMatchObject([{ cwd: '/here' }])
  })
})

describe('a session', () => {
  test('has a name, an author and a directory', async () => {
    expect(await toldSession(world({ CLAI_SESSION_ID: 's1', CLAI_SHELL: 'claude-code' }))).toEqual({
      session: 's1',
      author: 'claude',
      cwd: '/here',
    })
    expect(await toldSession(world({}, '{"session":"s2","cwd":"/w"}'))).toEqual({
      session: 's2',
      author: 'person',
      cwd: '/w',
    })
    await expect(toldSession(world({}, ''))).rejects.toMatchObject({ code: 'usage' })
  })
})
