import { expect, test } from 'vitest'
import { aDirective, agentRef, anAgent, aRecord, now, person } from '../../../../test/support/builders.ts'
import { turnRecords } from '../../../../test/support/turn-records.ts'
import type { AnyNewRecord, AnyRecord } from '../../../contract/record.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import { RecordedAgents } from '../recorded/agents.ts'
import { Listener } from './listener.ts'

const root = '/home/dev/project'

const listener = (since = 0, cwd = root, answers: AnyNewRecord[] = []) => {
  const agents = new RecordedAgents()
  agents.add(aRecord('agent.created', { agent: anAgent({ cwd }) }) as AnyRecord)
  for (const answer of answers) agents.add(answer as AnyRecord)
  return new Listener({ agents, ids: agents.within(root), since, root })
}

const npm: TurnBlock = { type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'npm install' } }
const told = (at = now): AnyNewRecord => ({
  ...aRecord('directive.accepted', { directive: aDirective({ text: 'Please use pnpm instead of npm.' }) }, { at }),
  actor: person,
})

const names = (one: Listener, ...records: AnyNewRecord[]): string[] => {
  for (const record of records) one.add(record as AnyRecord)
  return one.proposals().map(({ name }) => name)
}

test('what a person told an agent twice, after it had done it', () => {
  expect(names(listener(), ...turnRecords({ turn: 't', blocks: [npm] }), told(), told())).toEqual(['no-npm'])
})

test('not what another agent said, nor what was said before it did it, too long ago, or elsewhere', () => {
  const other = { ...told(), actor: { kind: 'agent', ...agentRef } } as AnyNewRecord
  const ran = turnRecords({ turn: 't', blocks: [npm] })
  expect(names(listener(), ...ran, other, other)).toEqual([])
  expect(names(listener(), told(), told(), ...ran)).toEqual([])
  expect(names(listener(now + 1), ...ran, told(), told())).toEqual([])
  expect(names(listener(0, '/elsewhere'), ...ran, told(), told())).toEqual([])
})

test('a file of the project is named from its top', () => {
  const input = { file_path: `${root}/db/schema.sql`, content: 'x' }
  const question = { id: 'q', kind: 'permission', tool: 'Write', input, at: now }
  const no = aRecord('agent.answered', { question, answer: 'deny', by: 'person' } as never)
  const [proposal] = listener(0, root, [no, no]).proposals()
  expect(proposal?.yaml).toContain('files: db/schema.sql')
})
