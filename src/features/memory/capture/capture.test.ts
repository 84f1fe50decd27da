import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCall, anAgent, anEntry, now } from '../../../../test/support/builders.ts'
import { countHeld } from '../../../../test/support/retained.ts'
import type { Command } from '../../../contract/command.ts'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { HookCall, ToolCall } from '../../../contract/hooks.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { parseObject } from '../../../base/util/json.ts'
import { Capture, type CapturePorts, type Heard } from './capture.ts'

const conversation = anAgent().conversation ?? ''

/** What is on record, as it outlives a daemon. */
class Box {
  readonly recorded: Command[] = []
  readonly takenBack: string[] = []
  readonly #more: Partial<CapturePorts>
  readonly #driver: string
  capture: Capture

  constructor(driver = 'claude', more: Partial<CapturePorts> = {}) {
    this.#driver = driver
    this.#more = more
    this.capture = this.#start()
  }

  get agent() {
    return anAgent({ driver: this.#driver })
  }

  get kept(): Command[] {
    return this.recorded.filter(({ id }) => !this.takenBack.includes(id))
  }

  restart(): void {
    this.capture = this.#start()
  }

  hear(call: Partial<HookCall>): Heard[] {
    return this.capture.hear(aCall({ driver: this.#driver, agent: this.agent.id, conversation, ...call }))
  }

  read(...blocks: TurnBlock[]): void {
    this.capture.read(this.agent, anEntry({ blocks, raw: { cwd: '/home/dev/project' } }))
  }

  #start(): Capture {
    return new Capture({
      driver: findDriver,
      agent: () => this.agent,
      isKnown: (id) => this.kept.some((command) => command.id === id),
      isRemembered: () => true,
      git: () => ({ branch: 'main', isDirty: false }),
      record: (found) => void this.recorded.push(...found.map(({ command }) => command)),
      takeBack: (id) => void this.takenBack.push(id),
      now: () => now,
      ...this.#more,
    })
  }
}

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures', path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseObject(line) ?? {})

const transcriptOf = (driver: string, folder: string): ConversationEntry[] => {
  const { format } = findDriver(driver).transcript
  const lines = linesOf(`${driver}/${folder}/shell.jsonl`)
  if (format.kind === 'rows') return lines.flatMap(format.reader())
  return lines.map((line) => JSON.stringify(line)).flatMap(format.reader())
}

const hooksOf = (driver: string, folder: string): HookCall[] =>
  linesOf(`${driver}/${folder}/shell-hook-calls.jsonl`).map(({ native, payload }) => {
    const call = findDriver(driver).hooks.decode(payload, {
      native: String(native),
      agent: 'agt_1',
      pid: null,
      conversation,
    })
    return { ...call, conversation }
  })

const commandsIn = (driver: string, folder: string): string[] => {
  const box = new Box(driver)
  for (const entry of transcriptOf(driver, folder)) box.capture.read(box.agent, entry)
  return box.kept.map(({ command, outcome }) => `${command} ${outcome}`).toSorted()
}

const recordings = [
  ['claude', '2.1.197'],
  ['codex', '0.166.0'],
  ['copilot', '1.0.102'],
  ['opencode', '1.18.33'],
] as const

describe.each(recordings)('a recording of %s', (driver, folder) => {
  const [hooks, entries] = [hooksOf(driver, folder), transcriptOf(driver, folder)]

  test('all that was run, and nothing that was refused', () => {
    const found = commandsIn(driver, folder)
    expect(found).toContain("sh -c 'echo out; echo err >&2; exit 3' failed")
    expect(found.join('\n')).not.toContain('touch denied')
  })

  test('in whatever order hooks and transcript come, repeated, missed, and with restarts: each is recorded once', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('entry' as const) },
      { weight: 4, arbitrary: fc.constantFrom('hook' as const, 'again' as const, 'missed' as const) },
      { weight: 1, arbitrary: fc.constant('restart' as const) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const box = new Box(driver)
        let [nextHook, nextEntry] = [0, 0]
        for (const one of steps) {
          const [call, entry] = [hooks[nextHook], entries[nextEntry]]
          if (one === 'restart') {
            box.restart()
            nextEntry = 0
          } else if (one === 'entry') {
            if (entry !== undefined) box.capture.read(box.agent, entry)
            nextEntry += 1
          } else {
            for (let times = { hook: 1, again: 2, missed: 0 }[one]; times > 0; times -= 1)
              if (call !== undefined) box.capture.hear(call)
            nextHook += 1
          }
        }
        for (const entry of entries.slice(nextEntry)) box.capture.read(box.agent, entry)
        box.restart()
        for (const entry of entries) box.capture.read(box.agent, entry)
        expect(new Set(box.recorded.map(({ id }) => id)).size).toBe(box.recorded.length)
        expect(box.kept.map(({ command, outcome }) => `${command} ${outcome}`).toSorted()).toEqual(
          commandsIn(driver, folder),
        )
      }),
      { numRuns: 60 },
    )
  })
})

const bash = (id: string | null, command: string, response?: unknown): ToolCall => ({
  id,
  name: 'Bash',
  input: { command },
  ...(response === undefined ? {} : { response }),
})
const batch = (...tools: ToolCall[]): Partial<HookCall> => ({ event: 'after_batch', native: 'PostToolBatch', tools })
const use = (id: string, name: string, input: Record<string, unknown>): TurnBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const result = (id: string, text: string, isError = false): TurnBlock => ({ type: 'tool_result', id, text, isError })

describe('what is known of a command', () => {
  test('a failed one of a hook, with the end of what it printed', () => {
    const box = new Box()
    const long = 'x'.repeat(20_000)
    const heard = box.hear({ ...batch(bash('t1', 'make', `Exit code 2\n${long}end`)), cwd: '/home/dev/project/sub' })
    expect(box.recorded).toEqual([
      {
        id: 'cmd_claude_t1',
        command: 'make',
        at: now,
        cwd: '/home/dev/project/sub',
        exit: 2,
        durationMs: null,
        outcome: 'failed',
        session: conversation,
        author: 'claude',
        output: `${long}end`.slice(-16_384),
        branch: 'main',
        isDirty: false,
        tools: [],
        edited: [],
        source: 'hook',
        secrets: 0,
      },
    ])
    expect(heard).toMatchObject([{ agent: 'agt_1', project: 'shop-1a2b3c', isNew: true, isRecorded: true }])
  })

  test('when and where it began, if a hook told before', () => {
    let time = now
    const box = new Box('claude', { now: () => time })
    box.hear({
      event: 'before_tool',
      native: 'PreToolUse',
      cwd: '/home/dev/project',
      tools: [bash('t1', 'cd sub && make')],
    })
    time += 5000
    box.hear({ ...batch(bash('t1', 'cd sub && make', 'done')), cwd: '/home/dev/project/sub' })
    expect(box.recorded).toMatchObject([
      { at: now, durationMs: 5000, cwd: '/home/dev/project', outcome: 'ok', output: null },
    ])
  })

  test('how long it took, as its transcript tells; a person who was asked is not waited for', () => {
    const box = new Box()
    const readAt = (at: number, block: TurnBlock): void => box.capture.read(box.agent, anEntry({ at, blocks: [block] }))
    for (const [id, took] of [
      ['t1', 4000],
      ['t2', 3_600_000],
      ['t3', 0],
    ] as const) {
      readAt(now, use(id, 'Bash', { command: 'make' }))
      readAt(now + took, result(id, 'done'))
    }
    expect(box.recorded.map(({ durationMs }) => durationMs)).toEqual([4000, 600_000, null])
  })

  test('the directory that its call names', () => {
    const box = new Box('gemini')
    box.read(use('g1', 'run_shell_command', { command: 'make', dir_path: 'web' }))
    box.read(result('g1', 'Output: done'))
    expect(box.recorded).toMatchObject([{ cwd: '/home/dev/project/web' }])
  })

  test('what the agent did before it, and only since the last one', () => {
    const box = new Box()
    const [read, edit] = [
      { id: 'r1', name: 'Read', input: { file_path: '/home/dev/project/a.ts' } },
      { id: 'w1', name: 'Edit', input: { file_path: '/home/dev/project/a.ts' } },
    ]
    box.hear(batch(read, edit))
    expect(box.capture.since(aCall({ agent: 'agt_1', conversation }))).toEqual({
      tools: ['Read', 'Edit'],
      edited: ['/home/dev/project/a.ts'],
    })
    box.hear(batch(bash('t1', 'make', 'ok'), bash('t2', 'make test', 'ok')))
    box.read(use('r1', 'Read', read.input))
    box.hear(batch(bash('t3', 'make', 'ok')))
    expect(box.recorded.map(({ tools, edited }) => [tools, edited])).toEqual([
      [['Read', 'Edit'], ['/home/dev/project/a.ts']],
      [[], []],
      [[], []],
    ])
  })

  test('after a restart: not what was done before commands that are known', () => {
    const box = new Box()
    const before = [use('r1', 'Read', {}), use('t1', 'Bash', { command: 'ls' }), result('t1', 'a')]
    box.read(...before)
    box.restart()
    box.read(
      ...before,
      use('w1', 'Write', { file_path: 'b' }),
      use('t2', 'Bash', { command: 'make' }),
      result('t2', ''),
    )
    expect(box.recorded.map(({ tools }) => tools)).toEqual([['Read'], ['Write']])
  })

  test('the branch of today is not that of long ago', () => {
    const box = new Box('claude', { now: () => now + 3_600_000 })
    box.read(use('t1', 'Bash', { command: 'ls' }), result('t1', 'a'))
    expect(box.recorded).toMatchObject([{ branch: null, isDirty: null, source: 'transcript' }])
  })
})

describe('what is not recorded', () => {
  test('what Rein refused, though a batch tells of it', () => {
    const box = new Box()
    box.capture.refuse(aCall({ agent: 'agt_1', conversation, event: 'before_tool', tools: [bash('t1', 'rm x')] }))
    expect(box.hear(batch(bash('t1', 'rm x', 'Not now.')))).toEqual([])
    expect(box.recorded).toEqual([])
  })

  test('what the hook of somebody else refused is taken back when the transcript says so', () => {
    const box = new Box()
    box.hear(batch(bash('t1', 'rm x', 'Not now.')))
    box.read(use('t1', 'Bash', { command: 'rm x' }), result('t1', 'Not now.', true))
    expect(box.takenBack).toEqual(['cmd_claude_t1'])
    expect(box.kept).toEqual([])
  })

  test('where nothing is to be remembered', () => {
    const box = new Box('claude', { isRemembered: (_command, cwd) => cwd !== '/home/dev/project' })
    box.read(use('t1', 'Bash', { command: 'ls' }), result('t1', 'a'))
    expect(box.hear({ ...batch(bash('t2', 'ls', 'a')), cwd: '/home/dev/project' })).toEqual([])
    // By their ids alone, so that no later daemon takes them in.
    expect(box.recorded.map(({ id, command, cwd }) => [id, command, cwd])).toEqual([
      ['cmd_claude_t1', '', null],
      ['cmd_claude_t2', '', null],
    ])
  })

  test('what is so long that it is data, and no command', () => {
    const box = new Box()
    const long = `cat > data <<'E'\n${'x'.repeat(70_000)}\nE`
    expect(box.hear(batch(bash('t1', long, '')))).toEqual([])
    box.read(use('t2', 'Bash', { command: long }), result('t2', ''))
    expect(box.recorded.map(({ id, command }) => [id, command])).toEqual([
      ['cmd_claude_t1', ''],
      ['cmd_claude_t2', ''],
    ])
  })

  test('of nobody’s hook calls, and of empty commands', () => {
    const box = new Box('claude', { agent: () => null })
    box.hear(batch(bash('t1', 'ls', 'a')))
    box.restart()
    box.read(use('t2', 'Bash', { command: ' ' }), result('t2', ''))
    expect(box.recorded).toEqual([])
  })
})

describe('hooks without ids', () => {
  const after = (command: string, code: number, at = 1): Partial<HookCall> => ({
    event: 'after_tool',
    native: 'postToolUse',
    raw: { timestamp: at },
    tools: [
      {
        id: null,
        name: 'bash',
        input: { command },
        response: { resultType: 'success', textResultForLlm: `\n<shellId: 0 completed with exit code ${code}>` },
      },
    ],
  })

  test('a call that the transcript has shown is recorded at once, under its id', () => {
    const box = new Box('copilot')
    box.read(use('c1', 'bash', { command: 'make' }), use('c2', 'bash', { command: 'make' }))
    expect(box.hear(after('make', 1))).toMatchObject([{ isNew: true, command: { id: 'cmd_copilot_c1', exit: 1 } }])
    expect(box.hear(after('make', 0, 2))).toMatchObject([{ isNew: true, command: { id: 'cmd_copilot_c2', exit: 0 } }])
    box.read(result('c1', 'x'), result('c2', 'x'))
    expect(box.recorded).toHaveLength(2)
  })

  test('else it is heard of, and recorded with the transcript', () => {
    const box = new Box('copilot')
    expect(box.hear(after('make', 1))).toMatchObject([{ isNew: false, isRecorded: false, command: { exit: 1 } }])
    expect(box.recorded).toEqual([])
    box.read(use('c1', 'bash', { command: 'make' }), result('c1', '\n<shellId: 0 completed with exit code 1>'))
    expect(box.recorded).toMatchObject([{ id: 'cmd_copilot_c1', outcome: 'failed', source: 'transcript' }])
  })

  test.each(['the transcript comes first', 'the hook comes first'])('how long it took, when %s', (order) => {
    let time = now
    const box = new Box('copilot', { now: () => time })
    const call = anEntry({ at: now, blocks: [use('c1', 'bash', { command: 'make' })] })
    box.hear({ event: 'before_tool', tools: [{ id: null, name: 'bash', input: { command: 'make' } }] })
    if (order.startsWith('the transcript')) box.capture.read(box.agent, call)
    time += 3000
    box.hear(after('make', 1))
    if (order.startsWith('the hook')) box.capture.read(box.agent, call)
    const end = result('c1', '\n<shellId: 0 completed with exit code 1>')
    box.capture.read(box.agent, anEntry({ at: now + 9000, blocks: [end] }))
    expect(box.recorded).toMatchObject([{ at: now, durationMs: 3000 }])
  })

  test('sub-agents are in no transcript: theirs are recorded as they are heard, and once', () => {
    const box = new Box('copilot')
    const subagent = { id: 's1', type: 'explore' }
    for (const at of [1, 1, 2]) box.hear({ ...after('make', 0, at), subagent })
    expect(box.recorded.map(({ session }) => session)).toEqual([`${conversation}/s1`, `${conversation}/s1`])
  })
})

describe('what Rein had run in place of what was wanted', () => {
  const before = (driver: string, name: string, id: string | null): HookCall =>
    aCall({ driver, conversation, event: 'before_tool', tools: [{ id, name, input: { command: 'mkdir a/b' } }] })

  test('a CLI that tells of what was wanted', () => {
    const box = new Box()
    box.capture.rewrite(before('claude', 'Bash', 't1'), { command: 'mkdir -p a/b' })
    box.hear(batch(bash('t1', 'mkdir a/b', '(Bash completed with no output)')))
    box.read(use('t1', 'Bash', { command: 'mkdir a/b' }), result('t1', ''))
    expect(box.recorded.map(({ command }) => command)).toEqual(['mkdir -p a/b'])
  })

  test.each(['the transcript comes first', 'the hook comes first'])('one without ids, when %s', (order) => {
    let time = now
    const box = new Box('copilot', { now: () => time })
    const called = use('c1', 'bash', { command: 'mkdir a/b' })
    const response = { resultType: 'success', textResultForLlm: '\n<shellId: 0 completed with exit code 0>' }
    if (order.startsWith('the transcript')) box.read(called)
    box.hear(before('copilot', 'bash', null))
    box.capture.rewrite(before('copilot', 'bash', null), { command: 'mkdir -p a/b' })
    time += 700
    box.hear({ event: 'after_tool', tools: [{ id: null, name: 'bash', input: { command: 'mkdir -p a/b' }, response }] })
    if (order.startsWith('the hook')) box.read(called)
    box.read(result('c1', '\n<shellId: 0 completed with exit code 0>'))
    expect(box.recorded).toMatchObject([{ command: 'mkdir -p a/b', id: 'cmd_copilot_c1', durationMs: 700 }])
  })
})

test.each([
  ['one that is over before Codex counts', 0, 30, 30],
  ['one that a person was asked about', 0, 60_000, 150],
  ['a longer one', 2851, 3010, 3001],
  ['one of which less is known than Codex tells', 2851, 2000, 2851],
])('Codex leaves out the first moments of a command, which are measured: %s', (_, told, wentBy, took) => {
  let time = now
  const box = new Box('codex', { now: () => time })
  box.read(use('c1', 'exec_command', { cmd: 'make' }))
  time += 1000
  box.hear({ event: 'before_tool', native: 'PreToolUse', tools: [{ ...bash('c1', 'make'), response: undefined }] })
  const duration = { secs: Math.floor(told / 1000), nanos: (told % 1000) * 1e6 }
  const item = { type: 'CommandExecution', id: 'c1', exit_code: 0, aggregated_output: '', duration }
  const raw = { type: 'event_msg', payload: { type: 'item_completed', item } }
  box.capture.read(box.agent, anEntry({ at: time + wentBy, raw }))
  expect(box.recorded).toMatchObject([{ command: 'make', durationMs: took }])
})

test('a hook that does not say how it ended waits for the transcript', () => {
  const box = new Box('codex')
  const tools = [bash('c1', 'make', 'no rule')]
  expect(box.hear({ event: 'after_tool', native: 'PostToolUse', tools })).toMatchObject([
    { isNew: false, command: { outcome: 'unknown' } },
  ])
  const text = 'Chunk ID: a\nWall time: 0.5 seconds\nProcess exited with code 2\nOutput:\nno rule'
  box.read(use('c1', 'exec_command', { cmd: 'make' }), result('c1', text))
  expect(box.recorded).toMatchObject([{ outcome: 'failed', exit: 2, durationMs: 500, output: 'no rule' }])
  expect(box.hear({ event: 'after_tool', native: 'PostToolUse', tools })).toMatchObject([
    { isNew: false, isRecorded: true, command: { exit: 2 } },
  ])
})

test('Codex notes how a command ended before its hook is called: then that knows it, too', () => {
  const [box, hooks] = [new Box('codex'), hooksOf('codex', '0.166.0')]
  const entries = transcriptOf('codex', '0.166.0')
  const upToNote = entries.findIndex(({ link }) => link === 'progress') + 1
  for (const entry of entries.slice(0, upToNote)) box.capture.read(box.agent, entry)
  expect(box.capture.hear(hooks[0] ?? aCall())).toMatchObject([
    { isRecorded: true, command: { command: 'echo fine', outcome: 'ok' } },
  ])
})

test('what ran when a person stopped the agent was interrupted', () => {
  const box = new Box('copilot')
  box.read(use('c1', 'bash', { command: 'sleep 40' }))
  box.capture.read(box.agent, anEntry({ isInterrupt: true }))
  expect(box.recorded).toMatchObject([{ command: 'sleep 40', outcome: 'interrupted', exit: null }])
})

test('a forked conversation has the same calls', () => {
  const box = new Box()
  const blocks = [use('t1', 'Bash', { command: 'ls' }), result('t1', 'a')]
  box.read(...blocks)
  box.capture.read({ ...box.agent, conversation: 'another' }, anEntry({ blocks }))
  expect(box.recorded).toHaveLength(1)
})

test('of the commands that are on record only the last ones are kept', async () => {
  const ids = new Set<string>()
  const commands: WeakRef<Command>[] = []
  const box = new Box('claude', {
    isKnown: (id) => ids.has(id),
    record: (found) => {
      for (const { command } of found) ids.add(command.id)
      commands.push(...found.map(({ command }) => new WeakRef(command)))
    },
  })
  for (let n = 0; n < 1_000; n += 1) {
    const tools = [
      { id: `t${n}`, name: 'Bash', input: { command: `make ${n}` }, response: { stdout: 'ok', stderr: '' } },
    ]
    box.hear({ event: 'before_tool', native: 'PreToolUse', tools })
    box.hear({ event: 'after_tool', native: 'PostToolUse', tools })
  }
  expect(commands).toHaveLength(1_000)
  expect(await countHeld(commands)).toBeLessThanOrEqual(200)
})
