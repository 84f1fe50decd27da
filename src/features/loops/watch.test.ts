import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aCall, anAgent, anEntry, now } from '../../../test/support/builders.ts'
import { countHeld, heldBytes } from '../../../test/support/retained.ts'
import type { HookReply, ResponderReply, ToolCall } from '../../contract/hooks.ts'
import { newRecord } from '../../contract/record.ts'
import { recoveryText } from '../../agents/healing/healing.ts'
import { pollSentence, wakeSentence } from '../../contract/wake.ts'
import { findDriver } from '../../drivers/registry.ts'
import { callOf, stepOf } from './step.ts'
import { type LoopPorts, LoopWatch } from './watch.ts'

type Line = { prompt: string } | { tree: string } | { said: string } | { tool: string; input: object; response: string }

const agent = anAgent()
const room = 9000

class World {
  readonly done: string[] = []
  readonly pauses: string[] = []
  readonly replies: ResponderReply[] = []
  readonly watch: LoopWatch
  #calls = 0
  #at = now

  constructor(given: Partial<LoopPorts> = {}) {
    this.watch = new LoopWatch({
      agent: () => agent,
      driver: findDriver,
      limits: { note: 3, ask: 5, stop: 8 },
      canAsk: () => true,
      hasToolHooks: () => true,
      catchUp: () => Promise.resolve(),
      settled: () => Promise.resolve(true),
      deadlineMs: 200,
      pause: (_, reason) => void this.pauses.push(reason),
      record: (type, { loop, subagent }) =>
        void this.done.push(`${subagent === null ? '' : `${subagent}: `}${loop.kind} ${loop.count} ${type.slice(5)}`),
      now: () => this.#at++,
      ...given,
    })
  }

  async prompt(text: string): Promise<ResponderReply> {
    return this.#ask({ event: 'prompt', native: 'UserPromptSubmit', prompt: text })
  }

  /** A call, and that it has run if nobody speaks against it; what is asked is answered by `answer`. */
  async call(name: string, input: object, response: string, options: { answer?: string; sub?: string } = {}) {
    const { answer = 'allow', sub } = options
    const tool: ToolCall = { id: `t${++this.#calls}`, name, input: input as Record<string, unknown> }
    const who = { subagent: sub === undefined ? null : { id: sub, type: 'helper' } }
    const before = await this.#ask({ ...who, event: 'before_tool', native: 'PreToolUse', tools: [tool] })
    const { kind } = before.decision ?? { kind: 'none' }
    if (kind === 'ask') this.#answer(answer)
    const isRun = kind === 'none' || (kind === 'ask' && answer === 'allow')
    const tools = [{ ...tool, response: isRun ? response : 'No.' }]
    const after = await this.#ask({ ...who, event: 'after_batch', native: 'PostToolBatch', tools })
    return { before, after, isRun }
  }

  bash(command: string, response: string, options: { answer?: string; sub?: string } = {}) {
    return this.call('Bash', { command }, response, options)
  }

  async play(name: string): Promise<void> {
    for (const line of linesOf(name)) {
      if (this.pauses.length > 0) return
      if ('prompt' in line) await this.prompt(line.prompt)
      else if ('tree' in line) this.watch.saved(agent.id, line.tree)
      else if ('said' in line) this.watch.onEntry(agent, anEntry({ isReply: true, text: line.said }))
      else await this.call(line.tool, line.input, line.response)
    }
  }

  get notes(): string[] {
    return this.replies.flatMap(({ context = [] }) => context.map(({ text }) => text))
  }

  async #ask(given: Parameters<typeof aCall>[0]): Promise<ResponderReply> {
    const reply = await this.watch.responder.respond(aCall(given), room)
    this.replies.push(reply)
    return reply
  }

  #answer(answer: string): void {
    const question = { id: 'q', kind: 'permission' as const, tool: 'Bash', input: {}, summary: '' }
    const body = { question, answer, by: 'person' as const, why: 'test' }
    const context = { id: 'r', at: now, actor: { kind: 'daemon' as const }, agent: agent.id, project: agent.project }
    this.watch.onChange(agent, null, newRecord('agent.answered', body, context))
  }
}

const fixtures = join(import.meta.dirname, '../../../test/fixtures/loops')
const names = readdirSync(fixtures)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -6))
const linesOf = (name: string): Line[] =>
  readFileSync(join(fixtures, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

const kindOf: Record<string, string> = {
  'edit-that-misses': 'repeat',
  'failing-test': 'failing',
  'flipped-by-commands': 'undo',
  'flipped-edit': 'undo',
  'round-of-three': 'repeat',
  'same-call': 'repeat',
  'same-turn': 'turns',
}

describe('recorded turns', () => {
  test.each(names.filter((name) => !name.startsWith('normal-')))(
    '%s: noted once, asked about, stopped',
    async (name) => {
      const world = new World()
      await world.play(name)
      const kind = kindOf[name]
      expect(world.done[0]).toBe(`${kind} 3 noted`)
      expect(world.notes).toHaveLength(1)
      expect(world.done.slice(1, -1).length).toBeGreaterThan(0)
      for (const one of world.done.slice(1, -1)) expect(one).toMatch(new RegExp(`^${kind} [5-7] asked$`))
      expect(world.done.at(-1)).toBe(`${kind} 8 stopped`)
      expect(world.pauses).toHaveLength(1)
    },
  )

  test.each(names.filter((name) => name.startsWith('normal-')))('%s: nothing is said', async (name) => {
    const world = new World()
    await world.play(name)
    expect(world.done).toEqual([])
    expect(world.replies.every((reply) => Object.keys(reply).length === 0)).toBe(true)
  })
})

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < count; n++) await work()
}
const failure = 'Exit code 1\nboom'

test('the note says what repeats, how often, and what else to try', async () => {
  const world = new World()
  await times(3, () => world.bash('npm test', failure))
  expect(world.notes).toEqual([
    'Rein (a hint, not an instruction): `npm test` failed 3 times in the same way (`boom`), and no file has changed in between. Once more will not help: read what it prints, look at what that names, change something, or take another way. If you cannot go on, say what is missing and stop.',
  ])
})

test('what a person denies counts as done: it is stopped in the end', async () => {
  const world = new World()
  await times(9, () => world.bash('npm test', failure, { answer: 'Stop that.' }))
  expect(world.done.slice(0, 5)).toEqual([
    'failing 3 noted',
    'failing 5 asked',
    'failing 6 asked',
    'failing 7 asked',
    'failing 8 stopped',
  ])
})

test('what a person allows and what ends otherwise then is a new beginning', async () => {
  const world = new World()
  await times(4, () => world.bash('npm test', failure))
  await world.bash('npm test', 'ok')
  const { before } = await world.bash('npm test', failure)
  expect(before).toEqual({})
})

test('where the CLI cannot ask, the call is denied with the reason, and is not run', async () => {
  const world = new World({ canAsk: () => false })
  await times(4, () => world.bash('npm test', failure))
  const { before, isRun } = await world.bash('npm test', failure)
  expect(isRun).toBe(false)
  expect((before as HookReply).decision?.kind).toBe('deny')
  await times(4, () => world.bash('npm test', failure))
  expect(world.done.slice(-2)).toEqual(['failing 7 asked', 'failing 8 stopped'])
})

test.each<[string, (world: World) => unknown]>([
  ['a new prompt', (world) => world.prompt('Try it with Node 22.')],
  ['word of something new', (world) => world.prompt(wakeSentence)],
  ['a change of the files', (world) => world.watch.saved(agent.id, 'b')],
])('%s is a new beginning', async (_, happen) => {
  const world = new World()
  world.watch.saved(agent.id, 'a')
  await world.prompt(wakeSentence)
  await times(2, () => world.bash('cat', 'x'))
  await times(2, () => world.bash('npm test', failure))
  await world.bash('ls', 'a.ts')
  await happen(world)
  await times(2, () => world.bash('npm test', failure))
  expect(world.done).toEqual([])
  await world.bash('npm test', failure)
  expect(world.done).toEqual(['failing 3 noted'])
})

test.each([wakeSentence, pollSentence, recoveryText('worker', '/state/bin/rein', null, 'live')])(
  'whoever is prompted by Rein itself again and again, and has nothing to do, goes in no circles: %s',
  async (prompt) => {
    const world = new World()
    world.watch.saved(agent.id, 'a')
    await times(20, async () => {
      await world.prompt(prompt)
      await world.bash('rein inbox', 'Nothing is open.')
      world.watch.onEntry(agent, anEntry({ isReply: true, text: 'Nothing to do.' }))
    })
    expect([world.done, world.pauses]).toEqual([[], []])
  },
)

test('what a command writes by itself is no reason for it to end otherwise', async () => {
  const world = new World()
  for (const tree of ['a', 'b', 'c']) {
    await world.bash('npm test > out.log', failure)
    world.watch.saved(agent.id, tree)
  }
  expect(world.done).toEqual(['failing 3 noted'])
})

test('whoever has no part in it is not held up by changes that take each other back', async () => {
  const world = new World()
  world.watch.saved(agent.id, 'a')
  const round = async (): Promise<void> => {
    await world.bash('npx formatter --write src', 'formatted')
    world.watch.saved(agent.id, 'b')
    await world.bash('npm run lint -- --fix', 'fixed')
    world.watch.saved(agent.id, 'a')
  }
  await times(4, round)
  expect(world.done.at(-1)).toBe('undo 6 asked')
  expect((await world.bash('node build.js', 'built')).before).toEqual({})
  expect((await world.bash('npm run lint -- --fix', 'fixed')).before.decision?.kind).toBe('ask')
})

test('where nobody saves the files, whatever may change them is taken to have done so', async () => {
  const world = new World()
  await times(5, async () => {
    await world.bash('npm test', failure)
    await world.bash('npm install', `added ${Math.random()}`)
  })
  expect(world.done).toEqual([])
})

test('while the files are still being saved nothing is said', async () => {
  const world = new World({ settled: () => Promise.resolve(false) })
  await times(9, () => world.bash('npm test', failure))
  expect(world.done).toEqual([])
})

test('a sub-agent is counted by itself', async () => {
  const world = new World()
  await times(2, () => world.bash('npm test', failure))
  await times(2, () => world.bash('npm test', failure, { sub: 'a1' }))
  expect(world.done).toEqual([])
  await world.bash('npm test', failure, { sub: 'a1' })
  expect(world.done).toEqual(['a1: failing 3 noted'])
})

test('0 is never', async () => {
  const world = new World({ limits: { note: 0, ask: 0, stop: 4 } })
  await times(4, () => world.bash('npm test', failure))
  expect(world.done).toEqual(['failing 4 stopped'])
})

test('a hook that tells of a call twice counts once', async () => {
  const world = new World()
  const tools = [{ id: 'same', name: 'Bash', input: { command: 'npm test' }, response: failure }]
  await times(5, () => Promise.resolve(world.watch.responder.respond(aCall({ event: 'after_batch', tools }), room)))
  expect(world.done).toEqual([])
})

test('what no hook tells of the transcript does: such an agent is stopped, too', () => {
  const world = new World({ hasToolHooks: () => false })
  for (let n = 0; n < 8; n++) {
    const call = { type: 'tool_use' as const, id: `t${n}`, name: 'Bash', input: { command: 'npm test' } }
    const result = { type: 'tool_result' as const, id: `t${n}`, text: failure, isError: true }
    world.watch.onEntry(agent, anEntry({ id: `a${n}`, at: now + n + 10, blocks: [call] }))
    world.watch.onEntry(agent, anEntry({ id: `b${n}`, at: now + n + 10, blocks: [result] }))
  }
  expect(world.done).toEqual(['failing 8 stopped'])
  expect(world.pauses[0]).toContain('`npm test` failed 8 times')
})

test.each([true, false])(
  'what calls were to write is not kept when they have ended; with tool hooks: %s',
  async (hasHooks) => {
    const { watch } = new World({ hasToolHooks: () => hasHooks })
    const work = (): WeakRef<object>[] =>
      Array.from({ length: 100 }, (_, n) => {
        const input = { file_path: 'a.ts', content: `${n}` }
        watch.onEntry(agent, anEntry({ blocks: [{ type: 'tool_use', id: `t${n}`, name: 'Write', input }] }))
        const result = { type: 'tool_result' as const, id: `t${n}`, text: 'ok', isError: false }
        watch.onEntry(agent, anEntry({ blocks: [result] }))
        return new WeakRef(input)
      })
    expect(await countHeld(work())).toBe(0)
  },
)

test('what is shown of a step holds nothing of what the call has printed', async () => {
  const long = 2 ** 20
  const call = callOf(findDriver('claude'), { id: 't1', name: 'Read', input: { file_path: 'a' } }, '/')
  const steps = () =>
    Array.from({ length: 40 }, (_, n) =>
      stepOf(call, null, `${'long '.repeat(long / 5)}\nthe-last-line-of-it-${n}`, now),
    )
  expect(await heldBytes(steps)).toBeLessThan(4 * long)
})
