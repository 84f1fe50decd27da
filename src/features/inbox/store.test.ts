import { expect, test } from 'vitest'
import { aDirective, agentRef, aRecord } from '../../../test/support/builders.ts'
import { emptyDatabase } from '../../../test/support/in-process-log.ts'
import type { Directive } from '../../contract/directive.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { LogWriter } from '../../base/log/writer.ts'
import { countNotices, countStates, findItem, inboxProjector, itemsOf, openItems } from './store.ts'

const told = (id: string, agent = agentRef.id): AnyNewRecord =>
  aRecord(
    'directive.accepted',
    { directive: aDirective({ id, agent: { ...agentRef, id: agent } }) },
    { id, agent, cause: id },
  )
const cancelled = (cause: string): AnyNewRecord => aRecord('directive.cancelled', {}, { cause })

const filled = (...records: AnyNewRecord[]) => {
  const db = emptyDatabase()
  new LogWriter(db, [inboxProjector]).write([{ kind: 'append', records, cursors: [] }])
  return db
}
const ids = (items: { directive: { id: string } }[]): string[] => items.map(({ directive }) => directive.id)

test('what is open, in the order in which it was told', () => {
  const db = filled(told('b'), told('a'), told('c', 'agt_2'), cancelled('b'))
  expect(ids(openItems(db))).toEqual(['a', 'c'])
})

test('one by its id', () => {
  const db = filled(told('a'))
  expect(findItem(db, 'a')?.directive.text).toBe(aDirective().text)
  expect(findItem(db, 'x')).toBeUndefined()
})

test('the newest of an agent, of a project, or of all, oldest first', () => {
  const db = filled(told('a'), told('b'), told('c'), told('x', 'agt_2'), cancelled('a'))
  expect(ids(itemsOf(db, { agent: agentRef.id, project: null }, 10))).toEqual(['a', 'b', 'c'])
  expect(ids(itemsOf(db, { agent: null, project: null }, 2))).toEqual(['c', 'x'])
  expect(ids(itemsOf(db, { agent: null, project: agentRef.project }, 10))).toEqual(['a', 'b', 'c', 'x'])
  expect(ids(itemsOf(db, { agent: null, project: 'other' }, 10))).toEqual([])
})

test('how many are open in which state', () => {
  const db = filled(told('a'), told('b'), told('c'), cancelled('c'))
  expect(countStates(db, agentRef.id)).toEqual(new Map([['queued', 2]]))
  expect(countStates(db, 'agt_2').size).toBe(0)
})

test('what Rein says without pressing is counted apart: it wakes nobody', () => {
  const from = (id: string, more: Partial<Directive>): AnyNewRecord =>
    aRecord('directive.accepted', { directive: aDirective({ id, agent: agentRef, ...more }) }, { id, cause: id })
  const daemon = { kind: 'daemon' } as const
  const notice = (by: 'rein' | 'agent', isPressing: boolean): Partial<Directive> => ({
    sender: daemon,
    origin: { upTo: 1, by, isPressing, about: [] },
  })
  const db = filled(
    from('person', {}),
    from('note', { sender: daemon }),
    from('urgent note', { sender: daemon, priority: 'urgent' }),
    from('quiet notice', notice('rein', false)),
    from('pressing notice', notice('rein', true)),
    from('notice of an agent', notice('agent', false)),
  )
  expect(countNotices(db, agentRef.id)).toBe(2)
  expect(countStates(db, agentRef.id)).toEqual(new Map([['queued', 6]]))
})
