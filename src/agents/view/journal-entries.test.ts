import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodies, recordTypes } from '../../../test/support/arbitraries.ts'
import { aDirective, anAgent, aRecord } from '../../../test/support/builders.ts'
import { type LogEntryName, logEntries, type Journal } from '../../contract/logs.ts'
import type { RecordBody, RecordType } from '../../contract/record.ts'
import { journalAgent, journalStep, journalTurns } from './journal-entries.ts'

/** What would be written, checked against the schema of its name. */
const capture = (write: (journal: Journal) => void): LogEntryName[] => {
  const names: LogEntryName[] = []
  const journal = {
    write: (name: LogEntryName, fields: unknown) => {
      expect(logEntries[name].strict().parse(JSON.parse(JSON.stringify(fields)))).toEqual(fields)
      names.push(name)
    },
  } as unknown as Journal
  write(journal)
  return names
}

const record = (type: RecordType, body: RecordBody<RecordType>) => aRecord(type, body)
const eachBody = (type: RecordType, check: (body: RecordBody<RecordType>) => void): void =>
  fc.assert(fc.property(bodies[type] as fc.Arbitrary<RecordBody<RecordType>>, check), { numRuns: 10 })

const item = { directive: aDirective() }

describe('directives', () => {
  test.each([
    ['directive.accepted', 'receive'],
    ['directive.offered', 'offer'],
    ['directive.placed', 'placed'],
    ['directive.seen', 'seen'],
    ['directive.acked', 'ack'],
  ] as const)('%s is written as "%s"', (type, name) => {
    eachBody(type, (body) => {
      expect(capture((journal) => journalStep(journal, item, record(type, body)))).toEqual([name])
    })
  })

  test('the text itself is not in the log file', () => {
    const text = 'the secret plan'
    const written: unknown[] = []
    const journal = { write: (_: string, fields: unknown) => void written.push(fields) } as unknown as Journal
    const directive = aDirective({ text })
    journalStep(journal, { directive }, record('directive.accepted', { directive }))
    expect(written).toMatchObject([{ length: text.length }])
    expect(JSON.stringify(written)).not.toContain(text)
  })
})

describe('agents', () => {
  const named = (before: ReturnType<typeof anAgent> | null, type: RecordType, body: RecordBody<RecordType>) =>
    capture((journal) => journalAgent(journal, anAgent(), before, record(type, body)))

  test('a launch is a registration; the second one a restart too', () => {
    eachBody('agent.launched', (body) => {
      expect(named(null, 'agent.launched', body)).toEqual(['register'])
      expect(named(anAgent({ conversation: null }), 'agent.launched', body)).toEqual(['register'])
      expect(named(anAgent(), 'agent.launched', body)).toEqual(['restart', 'register'])
    })
  })

  test('idle is ready, crashed is a crash, a foreign conversation is named', () => {
    eachBody('agent.state', (body) => {
      const { state } = body as RecordBody<'agent.state'>
      const expected = state === 'idle' ? ['ready'] : state === 'crashed' ? ['crash'] : []
      expect(named(anAgent(), 'agent.state', body)).toEqual(expected)
    })
    eachBody('agent.foreign', (body) => {
      expect(named(anAgent(), 'agent.foreign', body)).toEqual(['foreign'])
    })
  })
})

test('a sub-agent that starts or stops is named', () => {
  for (const type of ['turn.subagent_started', 'turn.subagent_stopped'] as const)
    eachBody(type, (body) => {
      const said = capture((journal) =>
        journalTurns(journal, [{ ...record(type, body), agent: 'agt_1' }], () => 'worker'),
      )
      expect(said).toEqual(['broadcast', 'subagent'])
    })
})

test('whatever record comes: what is written is as its schema says', () => {
  const written = new Set<LogEntryName>()
  for (const type of recordTypes)
    eachBody(type, (body) => {
      for (const name of [
        ...capture((journal) => journalStep(journal, item, record(type, body))),
        ...capture((journal) => journalAgent(journal, anAgent(), anAgent(), record(type, body))),
      ])
        written.add(name)
    })
  expect(written).toContain('receive')
})
