import { describe, expect, test } from 'vitest'
import { agentRef, aRecord } from '../../../test/support/builders.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { type Task, taskStates } from '../../contract/task.ts'
import { evolveTask, isOn, isTaskRecord, leadOf, stateAfter, type TaskAction } from './task.ts'

const task: Task = {
  id: 'tsk_1',
  project: agentRef.project,
  name: 'parser',
  root: '/project',
  state: 'new',
  reason: null,
  members: [],
  worktrees: 'none',
  createdAt: 1,
  since: 1,
}
const member = (handle: string, role: 'lead' | 'member') => ({
  agent: { ...agentRef, id: `agt_${handle}`, handle },
  role,
  worktree: null,
  branch: null,
})

const after = (...records: AnyNewRecord[]): Task | undefined =>
  records
    .map((record, index) => ({ ...record, seq: index + 1 }))
    .filter(isTaskRecord)
    .reduce<Task | undefined>(evolveTask, undefined)

const created = aRecord('task.created', { task })
const joined = (handle: string, role: 'lead' | 'member') =>
  aRecord('task.joined', { task: task.id, member: member(handle, role) })

describe('what a task is by its records', () => {
  test('it has the members that joined and did not leave, each once', () => {
    const left = aRecord('task.left', { task: task.id, agent: 'agt_one', reason: 'wanted' })
    const now = after(created, joined('lead', 'lead'), joined('one', 'member'), joined('lead', 'lead'), left)
    expect(now?.members.map(({ agent }) => agent.handle)).toEqual(['lead'])
    expect(now && leadOf(now)?.agent.handle).toBe('lead')
  })

  test('its state is the last one, since then and with its reason', () => {
    const stopped = aRecord('task.state', { task: task.id, state: 'stopped', reason: 'enough' }, { at: 7 })
    expect(after(created, stopped)).toEqual({ ...task, state: 'stopped', reason: 'enough', since: 7 })
  })

  test('made twice, it is the first', () => {
    expect(after(created, aRecord('task.created', { task: { ...task, root: '/other' } }))).toEqual(task)
  })

  test('of one that was never made nothing comes', () => {
    expect(after(joined('one', 'member'))).toBeUndefined()
  })
})

describe('what can be done to a task', () => {
  const actions: TaskAction[] = ['start', 'pause', 'unpause', 'stop', 'done']
  const possible = Object.fromEntries(
    taskStates.map((state) => [
      state,
      actions.flatMap((action) => {
        try {
          return [`${action}>${stateAfter({ name: 'parser', state }, action)}`]
        } catch {
          return []
        }
      }),
    ]),
  )

  test('in each state', () => {
    expect(possible).toEqual({
      new: ['start>running', 'stop>stopped', 'done>done'],
      running: ['start>running', 'pause>paused', 'unpause>running', 'stop>stopped', 'done>done'],
      paused: ['pause>paused', 'unpause>running', 'stop>stopped', 'done>done'],
      stopped: ['start>running', 'stop>stopped', 'done>done'],
      done: ['done>done'],
    })
  })

  test('what is refused says what to do', () => {
    expect(() => stateAfter({ name: 'parser', state: 'paused' }, 'start')).toThrow(
      expect.objectContaining({ code: 'refused', hint: 'Let it go on: rein task resume parser' }),
    )
  })

  test('agents are counted on while it runs or is paused', () => {
    expect(taskStates.filter((state) => isOn({ state }))).toEqual(['running', 'paused'])
  })
})
