import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentRef, anAgent, aRecord } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Task } from '../../contract/task.ts'
import { type LossParts, TaskLosses } from './losses.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const memberOf = (handle: string, role: 'lead' | 'member') => ({
  agent: { ...agentRef, id: `agt_${handle}`, handle },
  role,
  worktree: null,
  branch: null,
})

/** A task with a lead and an agent, and whom its losses are told to. */
const start = () => {
  const members = [memberOf('parser-lead', 'lead'), memberOf('parser-1', 'member')]
  const task = { id: 'tsk_1', project: agentRef.project, name: 'parser', state: 'running', members } as unknown as Task
  const agents = new Map(members.map(({ agent }) => [agent.id, anAgent({ ...agent, state: 'idle' })]))
  const [events, posts, people] = [new Map<string, string>(), new Map<string, string>(), [] as string[]]
  const ended: string[] = []
  const moving = { isMoving: false }
  const parts = {
    tasks: { all: () => [task], of: () => task, stillAt: () => members },
    supervisor: {
      get: (id: string) => agents.get(id) ?? null,
      agent: (id: string) => ({ stop: async () => void ended.push(id) }),
    },
    team: () => ({
      rooms: {
        has: () => true,
        post: async ({ id, text }: { id: string; text: string }) => void posts.set(id, text),
      },
      bus: {
        publish: async ({ id, type, to }: { id: string; type: string; to: { handle: string } }) => {
          const isDuplicate = events.has(id)
          events.set(id, `${type} ${to.handle}`)
          return { isDuplicate }
        },
      },
    }),
    isMoving: () => moving.isMoving,
    tellPeople: (_: string, text: string) => void people.push(text),
    onTrouble: (cause: unknown) => expect.unreachable(String(cause)),
  } as unknown as LossParts
  const open = (): TaskLosses => {
    const losses = new TaskLosses(parts)
    losses.start()
    onTestFinished(() => losses.stop())
    return losses
  }
  const losses = open()
  const change = async (handle: string, next: Partial<Agent>): Promise<void> => {
    const before = agents.get(`agt_${handle}`) ?? anAgent()
    const agent = { ...before, ...next }
    agents.set(agent.id, agent)
    const evidence = { source: 'process' as const }
    losses.onChange(agent, before, aRecord('agent.state', { state: agent.state, evidence, question: null }))
    await vi.advanceTimersByTimeAsync(0)
  }
  return { change, events, posts, people, moving, ended, open, task }
}

const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

describe('an agent of a task', () => {
  test('that is given up is reported at once: to the lead and in the room, not to a person', async () => {
    const { change, events, posts, people } = start()
    await change('parser-1', { state: 'looping' })
    expect([...events.values()]).toEqual(['member-lost parser-lead'])
    expect([...posts.values()]).toEqual([expect.stringContaining('parser-1')])
    expect(people).toEqual([])
  })

  test('that comes back after a crash is not', async () => {
    const { change, events } = start()
    await change('parser-1', { state: 'crashed', until: Date.now() + 1000 })
    await wait(60)
    expect(events.size).toBe(0)
  })

  test('that was stopped is, unless it is started again soon or goes on elsewhere', async () => {
    const { change, events, moving } = start()
    await change('parser-1', { state: 'stopped' })
    await wait(5)
    await change('parser-1', { state: 'idle' })
    await wait(60)
    moving.isMoving = true
    await change('parser-1', { state: 'stopped' })
    await wait(60)
    expect(events.size).toBe(0)
    moving.isMoving = false
    await wait(10)
    expect([...events.values()]).toEqual(['member-lost parser-lead'])
  })

  test('is reported once, also by the next daemon; another loss is another report', async () => {
    const { change, events, posts, open } = start()
    await change('parser-1', { state: 'looping', since: 1 })
    open()
    await wait(0)
    expect([events.size, posts.size]).toEqual([1, 1])
    await change('parser-1', { state: 'looping', since: 2 })
    expect([events.size, posts.size]).toEqual([2, 2])
  })

  test('is nobody’s loss when its task does not count on it', async () => {
    const { change, events, task } = start()
    task.state = 'stopped'
    await change('parser-1', { state: 'looping' })
    expect(events.size).toBe(0)
  })
})

test('one that was ended with its task by a daemon that died then is not started again', async () => {
  const { change, ended, open, task } = start()
  await change('parser-1', { state: 'crashed', until: Date.now() + 1000 })
  open()
  expect(ended).toEqual([])
  task.state = 'stopped'
  open()
  expect(ended).toEqual(['agt_parser-1'])
})

test('a lead is reported to the others and to a person, once', async () => {
  const { change, events, people, open } = start()
  await change('parser-lead', { state: 'crashed', until: null })
  expect([...events.values()]).toEqual(['lead-lost parser-1'])
  open()
  await wait(0)
  expect(people).toEqual([expect.stringContaining('--take-over')])
})
