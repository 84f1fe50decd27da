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

describe('what is asked over a protocol', () => {
  const fileChange = (kind: object, diff: string) => ({ changes: [{ path: '/w/p.txt', kind, diff }] })

  test.each([
    [{ type: 'add' }, 'new\n', [{ kind: 'write', path: '/w/p.txt', content: 'new\n' }]],
    [{ type: 'delete' }, 'new\n', [{ kind: 'delete', path: '/w/p.txt' }]],
    [
      { type: 'update', move_path: '/w/q.txt' },
      '@@ -1,2 +1,2 @@\n-new\n+newer\n two\n\n\nMoved to: /w/q.txt',
      [
        { kind: 'edit', path: '/w/p.txt', replacements: [{ old: 'new\ntwo', new: 'newer\ntwo', isEverywhere: false }] },
        { kind: 'move', from: '/w/p.txt', to: '/w/q.txt' },
      ],
    ],
  ])('codex: %j', (kind, diff, expected) => {
    expect(actionsOf('codex', 'apply_patch', fileChange(kind, diff)).actions).toEqual(expected)
  })

  test('copilot: the diff of a file, whose name stands beside it', () => {
    const head = '\ndiff --git a/w/a.txt b/w/a.txt\n'
    const added = `${head}create file mode 100644\n--- a/dev/null\n+++ b/w/a.txt\n@@ -1,0 +1,1 @@\n+one\n`
    expect(actionsOf('copilot', 'edit', { fileName: '/w/a.txt', diff: added }).actions).toEqual([
      { kind: 'write', path: '/w/a.txt', content: 'one\n' },
    ])
    const changed = `${head}--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,2 +1,2 @@\n-one\n+two\n \n`
    expect(actionsOf('copilot', 'edit', { fileName: '/w/a.txt', diff: changed }).actions).toMatchObject([
      { kind: 'edit', path: '/w/a.txt', replacements: [{ old: 'one\n', new: 'two\n' }] },
    ])
  })

  test('opencode: the same', () => {
    const diff = 'Index: /w/a.txt\n====\n--- /w/a.txt\n+++ /w/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n'
    expect(actionsOf('opencode', 'edit', { filepath: '/w/a.txt', diff }).actions).toMatchObject([
      { kind: 'edit', path: '/w/a.txt', replacements: [{ old: 'one', new: 'two' }] },
    ])
  })

  test('what only the question has never hides what the tool does', () => {
    const input = { filePath: 'secret', oldString: 'a', newString: 'b', diff: '--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n' }
    const { actions, rewritten } = actionsOf('opencode', 'edit', input)
    expect(actions).toMatchObject([{ path: 'secret' }, { path: 'x' }])
    expect(rewritten('c')).toBeNull()
  })

  test.each([
    ['copilot', 'execute', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['gemini', 'execute', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['gemini', 'fetch', { description: 'From prompt: "see http://a.example/x now"' }, { url: 'http://a.example/x' }],
    ['gemini', 'other', { description: 'other (rein MCP Server)' }, { kind: 'mcp', server: 'rein', tool: 'other' }],
    ['gemini', 'edit', { file_path: '/w/a.txt' }, { kind: 'edit', path: '/w/a.txt', replacements: [] }],
  ])('%s %s', (driver, name, input, expected) => {
    expect(actionsOf(driver, name, input).actions).toMatchObject([expected])
  })
})
