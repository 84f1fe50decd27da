import { describe, expect, test } from 'vitest'
import type { ToolActions } from '../contract/action.ts'
import { findDriver } from './registry.ts'

const actionsOf = (driver: string, name: string, input: Record<string, unknown>): ToolActions =>
  findDriver(driver).actions(name, input)

describe('codex', () => {
  const patch = '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch'

  test.each([
    [{ cmd: 'ls', workdir: '/w', yield_time_ms: 5 }, 'pwd', { cmd: 'pwd', workdir: '/w', yield_time_ms: 5 }],
    [{ command: 'ls' }, 'pwd', { command: 'pwd' }],
    [{ command: ['zsh', '-lc', 'ls'], timeout: 1 }, 'pwd', { command: ['zsh', '-lc', 'pwd'], timeout: 1 }],
    [{ command: ['ls', '-l'] }, 'pwd', { command: ['bash', '-lc', 'pwd'] }],
  ])('a command is rewritten in its own form: %j', (input, text, expected) => {
    const { actions, rewritten } = actionsOf('codex', 'shell', input)
    expect(actions).toMatchObject([{ kind: 'shell', command: expect.stringMatching(/^ls/) }])
    expect(rewritten(text)).toEqual(expected)
  })

  test.each([
    [`apply_patch <<'EOF'\n${patch}\nEOF`, null, 'a.txt'],
    [`cd src && apply_patch <<'EOF'\n${patch}\nEOF`, null, 'src/a.txt'],
    [`cd 'my src' && applypatch <<'EOF'\n${patch}\nEOF`, '/w', '/w/my src/a.txt'],
  ])('a patch in a command is the command and the files: %j', (command, workdir, path) => {
    const { actions, rewritten } = actionsOf('codex', 'exec_command', { cmd: command, workdir })
    expect(actions).toEqual([
      { kind: 'shell', command, cwd: workdir },
      { kind: 'delete', path },
    ])
    expect(rewritten('true')).toBeNull()
  })

  test('a patch that does not stand there is a change of any file; who only speaks of it changes none', () => {
    expect(actionsOf('codex', 'Bash', { command: 'apply_patch < p.txt' }).actions).toMatchObject([
      { kind: 'shell' },
      { kind: 'unreadable' },
    ])
    expect(actionsOf('codex', 'Bash', { command: 'grep -r apply_patch src' }).actions).toMatchObject([
      { kind: 'shell' },
    ])
  })

  test('a patch as a tool, and what is typed into a shell', () => {
    expect(actionsOf('codex', 'apply_patch', { command: patch }).actions).toEqual([{ kind: 'delete', path: 'a.txt' }])
    const typed = actionsOf('codex', 'write_stdin', { session_id: 1, chars: 'rm x\n' })
    expect(typed.actions).toEqual([{ kind: 'shell', command: 'rm x\n', cwd: null }])
    expect(typed.rewritten('ls\n')).toEqual({ session_id: 1, chars: 'ls\n' })
  })
})

describe('gemini: the addresses stand in the prompt', () => {
  test('one, which can be rewritten', () => {
    const prompt = 'Sum up (https://a.example/x?y=$1), please.'
    const { actions, rewritten } = actionsOf('gemini', 'web_fetch', { prompt })
    expect(actions).toEqual([{ kind: 'fetch', url: 'https://a.example/x?y=$1' }])
    expect(rewritten('https://b.example/$&')).toEqual({ prompt: 'Sum up (https://b.example/$&), please.' })
  })

  test('several, or none', () => {
    const two = actionsOf('gemini', 'web_fetch', { prompt: 'https://a.example and HTTP://b.example' })
    expect(two.actions).toMatchObject([{ url: 'https://a.example' }, { url: 'HTTP://b.example' }])
    expect(two.rewritten('x')).toBeNull()
    expect(actionsOf('gemini', 'web_fetch', { prompt: 'nothing' }).actions).toEqual([])
  })
})

describe('every driver', () => {
  const writing = { claude: 'Write', copilot: 'create', gemini: 'write_file', opencode: 'write', codex: 'apply_patch' }

  test.each(Object.entries(writing))('%s: a file tool without a file is a change of any file', (driver, tool) => {
    expect(actionsOf(driver, tool, {}).actions).toMatchObject([{ kind: 'unreadable' }])
    expect(actionsOf(driver, tool, { file_path: 7, path: [], filePath: {} }).actions).toMatchObject([
      { kind: 'unreadable' },
    ])
  })

  test.each(Object.keys(writing))('%s: names of what every object has are no tools', (driver) => {
    expect(actionsOf(driver, 'constructor', {}).actions).toEqual([])
    expect(actionsOf(driver, 'todowrite', { todos: [] }).actions).toEqual([])
  })
})
