import { beforeEach, describe, expect, test } from 'vitest'
import { contextSeparator, type HookCall } from '../../contract/hooks.ts'
import { wakeSentence } from '../../contract/wake.ts'
import { noteOf, noteText } from './note.ts'
import { Ranking } from './ranking.ts'
import { type Failure, type NotePorts, noteResponder, type ToldNotes } from './responder.ts'

const notes = [
  noteOf('port', noteText({ title: 'Port 5432 is taken', fix: 'Set PGPORT to another port.' })),
  noteOf('lock', noteText({ title: 'The npm lock file is out of sync', fix: 'Take the lock file of main.' })),
]
const failure = { command: 'docker compose up', output: 'Error: port 5432 is taken\n' }

let told: ToldNotes[]
let failures: Failure[]
let ports: NotePorts

beforeEach(() => {
  told = []
  failures = []
  ports = {
    library: { at: async () => ({ root: '/w', notes, problems: [], ranking: new Ranking(notes) }) },
    cwd: (agent) => (agent === 'agt_1' ? '/w' : null),
    canHear: () => true,
    failures: async () => failures,
    toldBefore: () => [],
    record: (_agent, each) => void told.push(each),
  }
})

const call = (event: HookCall['event'], more: Partial<HookCall> = {}): HookCall => ({
  driver: 'claude',
  event,
  native: '',
  agent: 'agt_1',
  pid: 1,
  conversation: 'c1',
  transcript: null,
  cwd: '/elsewhere',
  subagent: null,
  tools: [],
  prompt: null,
  source: null,
  question: null,
  raw: {},
  ...more,
})
const prompt = (text: string, more: Partial<HookCall> = {}): HookCall => call('prompt', { prompt: text, ...more })
const asking = 'Why is port 5432 taken?'

describe('an agent is told', () => {
  test('at a prompt, and it is on record', async () => {
    const { context } = await noteResponder(ports).respond(prompt(asking), 9000)
    expect(context).toMatchObject([{ from: 'notes', text: expect.stringContaining('| Set PGPORT to another port.') }])
    expect(told).toEqual([{ conversation: 'c1', notes: ['port'], moment: 'prompt' }])
  })

  test('after a command that failed, by what it printed', async () => {
    const responder = noteResponder(ports)
    expect(await responder.respond(call('after_tool'), 9000)).toEqual({})
    failures = [failure]
    expect((await responder.respond(call('after_batch'), 9000)).context).toHaveLength(1)
    expect(told).toMatchObject([{ moment: 'failure' }])
  })

  test('of each note once in a conversation; a sub-agent has its own', async () => {
    const responder = noteResponder(ports)
    const times = async (more: Partial<HookCall> = {}): Promise<number> =>
      (await responder.respond(prompt(asking, more), 9000)).context?.length ?? 0
    const subagent = { id: 'sub', type: 'x' }
    expect(await times()).toBe(1)
    failures = [failure]
    expect(await responder.respond(call('after_tool'), 9000)).toEqual({})
    expect([
      await times(),
      await times({ subagent }),
      await times({ subagent }),
      await times({ conversation: 'c2' }),
    ]).toEqual([0, 1, 0, 1])
  })

  test('once by hooks that come at the same time', async () => {
    const responder = noteResponder(ports)
    failures = [failure]
    const both = await Promise.all([
      responder.respond(call('after_tool'), 9000),
      responder.respond(call('after_tool'), 9000),
    ])
    expect(both.flatMap(({ context }) => context ?? [])).toHaveLength(1)
  })

  test('again when its context was emptied', async () => {
    const responder = noteResponder(ports)
    const isTold = async (): Promise<boolean> => 'context' in (await responder.respond(prompt(asking), 9000))
    const heard: boolean[] = [await isTold()]
    for (const emptying of [
      call('after_compact'),
      call('session_start', { source: 'compact' }),
      call('session_start', { source: 'resume' }),
    ]) {
      expect(await responder.respond(emptying, 9000)).toEqual({})
      heard.push(await isTold())
    }
    expect(heard).toEqual([true, true, true, false])
  })

  test('not what an earlier daemon told it', async () => {
    ports.toldBefore = () => [{ conversation: 'c1', notes: ['port'], moment: 'prompt' }]
    expect(await noteResponder(ports).respond(prompt(asking), 9000)).toEqual({})
    expect(await noteResponder(ports).respond(prompt(asking, { conversation: 'c2' }), 9000)).toHaveProperty('context')
  })
})

describe('nothing is said', () => {
  test.each([
    ['that does not fit', 'Make the logo larger, please, and centre it'],
    ['of two words', 'port 5432'],
    ['that is the wake sentence', `${wakeSentence} ${asking}`],
    ['that holds a directive', `<rein-directive id="dir_1">\n| ${asking}`],
  ])('to a prompt %s', async (_what, text) => {
    expect(await noteResponder(ports).respond(prompt(text), 9000)).toEqual({})
  })

  test('to one that cannot hear it, and it is told later', async () => {
    const responder = noteResponder({ ...ports, canHear: (_agent, moment) => moment === 'prompt' })
    failures = [failure]
    expect(await responder.respond(call('after_tool'), 9000)).toEqual({})
    expect(await responder.respond(prompt(asking), 9000)).toHaveProperty('context')
  })

  test('to one that nobody knows', async () => {
    expect(await noteResponder(ports).respond(prompt(asking, { agent: 'agt_2' }), 9000)).toEqual({})
    expect(await noteResponder(ports).respond(prompt(asking, { agent: null }), 9000)).toEqual({})
  })

  test('for which there is no room; it is told when there is', async () => {
    const responder = noteResponder(ports)
    expect(await responder.respond(prompt(asking), 100)).toEqual({})
    const { context = [] } = await responder.respond(prompt(asking), 9000)
    expect(context).toHaveLength(1)
    const needed = (context[0]?.text.length ?? 0) + contextSeparator.length
    expect(await noteResponder(ports).respond(prompt(asking), needed)).toHaveProperty('context')
    expect(await noteResponder(ports).respond(prompt(asking), needed - 1)).toEqual({})
  })

  test('while files are still being read, or cannot be', async () => {
    const never = { at: () => new Promise<never>(() => undefined) }
    const broken = { at: async () => Promise.reject(new Error('gone')) }
    expect(await noteResponder({ ...ports, library: never }).respond(prompt(asking), 9000)).toEqual({})
    expect(await noteResponder({ ...ports, library: broken }).respond(prompt(asking), 9000)).toEqual({})
  })
})
