import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConversationEntry } from '../contract/conversation.ts'
import { parseObject } from '../base/util/json.ts'
import type { ShellEnd } from './contract.ts'
import { findDriver } from './registry.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures')

const parseLines = (path: string): string[] =>
  readFileSync(join(fixtures, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const entriesOf = (driver: string, path: string): ConversationEntry[] => {
  const { format } = findDriver(driver).transcript
  if (format.kind === 'lines') return parseLines(path).flatMap(format.reader())
  return parseLines(path)
    .map((line) => parseObject(line) ?? {})
    .flatMap(format.reader())
}

const essence = (end: ShellEnd | null): unknown[] => (end === null ? [null] : [end.outcome, end.exit])

/** Each command of a recorded transcript with its end; one without a result has none. */
const written = (driver: string, path: string): Record<string, unknown[]> => {
  const { shell } = findDriver(driver)
  const open = new Map<string, string>()
  const found: Record<string, unknown[]> = {}
  for (const { blocks, raw } of entriesOf(driver, path)) {
    for (const block of blocks) {
      const call = block.type === 'tool_use' ? shell.call(block.name, block.input) : null
      if (block.type === 'tool_use' && call !== null) open.set(block.id, call.command)
      const command = block.type === 'tool_result' ? open.get(block.id) : undefined
      if (block.type === 'tool_result' && command !== undefined) found[command] = essence(shell.end(block, raw))
    }
  }
  return found
}

/** Each command of recorded hook calls with what was heard of its end. */
const heard = (driver: string, path: string): Record<string, unknown[]> => {
  const { hooks, shell } = findDriver(driver)
  const calls = parseLines(path).flatMap((line) => {
    const { native, payload } = parseObject(line) ?? {}
    return hooks.decode(payload, { native: String(native), agent: null, pid: null, conversation: null })
  })
  const all = calls.flatMap(({ tools, native }) =>
    tools.map(({ name, input, response }) => [
      shell.call(name, input)?.command ?? name,
      essence(shell.heard(response, native)),
    ]),
  )
  return Object.fromEntries(all) as Record<string, unknown[]>
}

const fails = "sh -c 'echo out; echo err >&2; exit 3'"
const killed = "sh -c 'kill -9 $$'"

/** What every CLI was made to run, and how that ended. */
const everywhere = {
  'echo fine': ['ok', 0],
  [fails]: ['failed', 3],
  'nosuchprogram --x': ['failed', 127],
  true: ['ok', 0],
  false: ['failed', 1],
}
const isRefused = [null]

const recordings = {
  claude: {
    version: '2.1.197',
    // What was interrupted looks like what was refused.
    written: {
      [killed]: ['failed', 137],
      'touch denied': isRefused,
      'sleep 2; echo late': ['background', null],
      'sleep 5': ['interrupted', null],
      'sleep 40': isRefused,
    },
    // What a hook has refused looks like what was printed.
    heard: {
      [killed]: ['failed', 137],
      'touch denied': ['ok', 0],
      'sleep 2; echo late': ['background', null],
      'sleep 5': ['interrupted', null],
    },
  },
  copilot: {
    version: '1.0.102',
    written: {
      [killed]: ['failed', 1],
      'touch denied': isRefused,
      'seq 20000': ['ok', 0],
      'sleep 3; echo late': ['background', null],
      'echo start; sleep 8; echo late': ['ok', 0],
    },
    heard: {
      [killed]: ['failed', 1],
      'seq 20000': ['ok', 0],
      'sleep 3; echo late': ['background', null],
      'echo start; sleep 8; echo late': ['ok', 0],
    },
  },
  opencode: {
    version: '1.18.33',
    written: {
      'touch denied': isRefused,
      'sleep 5': ['interrupted', null],
      pwd: ['ok', 0],
      'sleep 40': ['interrupted', null],
    },
    heard: { 'sleep 5': ['interrupted', null], pwd: ['ok', 0], 'sleep 40': ['interrupted', null] },
  },
}

describe.each(Object.entries(recordings))('%s', (driver, recording) => {
  const folder = `${driver}/${recording.version}`

  test('the transcript tells how each command ended', () => {
    expect(written(driver, `${folder}/shell.jsonl`)).toEqual({ ...everywhere, ...recording.written })
  })

  test('so do its hooks', () => {
    expect(heard(driver, `${folder}/shell-hook-calls.jsonl`)).toEqual({ ...everywhere, ...recording.heard })
  })
})

describe('codex', () => {
  test('the transcript tells how each command ended', () => {
    expect(written('codex', 'codex/0.166.0/shell.jsonl')).toEqual({
      ...everywhere,
      [killed]: ['failed', 137],
      'touch denied': isRefused,
      'echo start; sleep 3; echo late': ['background', null],
      pwd: ['ok', 0],
      'sleep 40': ['interrupted', null],
    })
  })

  test('its hooks know the commands, and not how they ended', () => {
    const found = heard('codex', 'codex/0.166.0/shell-hook-calls.jsonl')
    expect(found).toMatchObject(
      Object.fromEntries(Object.keys(everywhere).map((command) => [command, ['unknown', null]])),
    )
  })

  test('how a command ended is noted before its hook is called, and beside the conversation', () => {
    const entries = entriesOf('codex', 'codex/0.166.0/shell.jsonl')
    const notes = entries.filter(({ link }) => link === 'progress')
    const { shell } = findDriver('codex')
    expect(notes.map(({ raw }) => shell.noted?.(raw)?.end.exit)).toEqual([0, 3, 127, 137, 1, 0, 0, 0])
    expect(shell.noted?.(notes[1]?.raw ?? {})?.end).toMatchObject({ outcome: 'failed', output: 'out\nerr\n' })
    expect(entries.some(({ parent }) => notes.some(({ id }) => id === parent))).toBe(false)
  })

  test('a call may name its directory', () => {
    expect(findDriver('codex').shell.call('exec_command', { cmd: 'pwd', workdir: '/tmp' })).toEqual({
      command: 'pwd',
      cwd: '/tmp',
    })
  })
})

describe('gemini', () => {
  test('the transcript tells how each command ended', () => {
    expect(written('gemini', 'gemini/0.61.0/shell.jsonl')).toEqual({
      ...everywhere,
      [killed]: ['failed', 137],
      'touch denied': ['ok', 0],
      'sleep 3; echo late': ['background', null],
      'pwd; exit 2': ['failed', 2],
    })
  })

  test('what a person stopped was interrupted, what they refused was not run', () => {
    expect(written('gemini', 'gemini/0.61.0/failed.jsonl')).toMatchObject({ 'sleep 6': ['interrupted', null] })
    expect(written('gemini', 'gemini/0.61.0/terminal.jsonl')).toMatchObject({ 'touch a2': isRefused })
  })

  test('its hooks tell, too', () => {
    expect(heard('gemini', 'gemini/0.61.0/hook-calls.jsonl')).toMatchObject({ 'touch b1': ['ok', 0] })
  })

  test('what was printed stands alone', () => {
    const { shell } = findDriver('gemini')
    const llmContent =
      '<untrusted_context>\nOutput: Exit Code: 7\nlast\nExit Code: 2\nProcess Group PGID: 9\n</untrusted_context>'
    expect(shell.heard({ llmContent }, 'AfterTool')).toEqual({
      outcome: 'failed',
      exit: 2,
      durationMs: null,
      output: 'Exit Code: 7\nlast',
    })
    expect(shell.heard({ llmContent: 'Tool execution denied by policy.' }, 'AfterTool')).toBeNull()
  })
})

describe('Claude Code without batches', () => {
  const { shell } = findDriver('claude')

  test.each([
    [{ stdout: 'a', stderr: 'b', interrupted: false }, 'PostToolUse', ['ok', 0]],
    [{ stdout: 'a', stderr: '', interrupted: true }, 'PostToolUse', ['interrupted', null]],
    [{ stdout: '', stderr: '', backgroundTaskId: 'b1' }, 'PostToolUse', ['background', null]],
    ['Exit code 2\nno rule', 'PostToolUseFailure', ['failed', 2]],
    ['Permission to use Bash has been denied.', 'PostToolUseFailure', [null]],
  ])('%j at %s: %j', (response, native, end) => {
    expect(essence(shell.heard(response, native))).toEqual(end)
  })

  test('what it printed', () => {
    expect(shell.heard({ stdout: 'a', stderr: 'b' }, 'PostToolUse')?.output).toBe('a\nb')
    expect(shell.heard('Exit code 2\nno rule', 'PostToolBatch')?.output).toBe('no rule')
  })

  test('a person or a rule that refused is known also in a batch', () => {
    const said = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    expect(shell.heard(said, 'PostToolBatch')).toBeNull()
    expect(shell.heard('Permission to use Bash with command rm x has been denied.', 'PostToolBatch')).toBeNull()
  })
})

test('that nothing was printed is no output', () => {
  const llmContent = 'Output: (empty)\nExit Code: 1'
  expect(findDriver('gemini').shell.heard({ llmContent }, 'AfterTool')).toMatchObject({ exit: 1, output: '' })
  expect(findDriver('opencode').shell.heard({ output: '(no output)', exit: 1 }, '')).toMatchObject({ output: '' })
})

test('tools for files: newer versions of Claude Code search with their shell', () => {
  const claude = findDriver('claude')
  expect(claude.fileTools('2.1.197')).toEqual({ read: 'Read', edit: 'Edit', write: 'Write', search: null, find: null })
  expect(claude.fileTools('2.1.9')).toMatchObject({ search: 'Grep', find: 'Glob' })
  expect(findDriver('codex').fileTools('0.166.0')).toMatchObject({ read: null, search: null })
})

test.each(['copilot', 'gemini', 'opencode'])('%s really offers its model the tools for files', (name) => {
  const { body } = JSON.parse(readFileSync(join(fixtures, `model-requests/${name}.json`), 'utf8')) as { body: object }
  const offered = JSON.stringify(body)
  for (const tool of Object.values(findDriver(name).fileTools(''))) expect(offered).toContain(`"name":"${tool}"`)
})
