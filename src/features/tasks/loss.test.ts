import { describe, expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { AgentState } from '../../contract/agent.ts'
import { lossId, lossOf, lossText } from './loss.ts'

describe('an agent of a task is gone', () => {
  const lossIn = (state: AgentState, until: number | null = null) => lossOf({ state: 'running' }, { state, until })

  test('when it was given up, or crashed and is not restarted; soon when it was stopped', () => {
    expect([lossIn('looping'), lossIn('crashed'), lossIn('stopped')]).toEqual(['now', 'now', 'soon'])
  })

  test('not while it runs, or comes back by itself', () => {
    expect([lossIn('working'), lossIn('paused'), lossIn('limited'), lossIn('crashed', 5)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('only while its task counts on it', () => {
    expect(lossOf({ state: 'paused' }, { state: 'looping', until: null })).toBe('now')
    for (const state of ['new', 'stopped', 'done'] as const)
      expect(lossOf({ state }, { state: 'looping', until: null })).toBeNull()
  })
})

test('the same loss has one name, another one of the same agent another', () => {
  const agent = anAgent({ id: 'agt_1', since: 5 })
  expect([lossId(agent), lossId({ ...agent, since: 6 })]).toEqual(['lost_agt_1_5', 'lost_agt_1_6'])
})

test('it is said who, how, and what to do', () => {
  const evidence = { source: 'process' as const, detail: 'exit code 3' }
  const agent = anAgent({ handle: 'parser-2', driver: 'codex', state: 'crashed', evidence })
  expect(lossText({ name: 'parser' }, { role: 'member' }, agent)).toBe(
    'parser-2 (codex) of the task parser is gone: it crashed and is not restarted: exit code 3. To bring it back: rein restart parser-2',
  )
  expect(lossText({ name: 'parser' }, { role: 'lead' }, { ...agent, state: 'stopped' })).toContain(
    'rein orchestrate parser --take-over',
  )
})
