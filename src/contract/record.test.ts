import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodies, recordTypes } from '../../test/support/arbitraries.ts'
import { now } from '../../test/support/builders.ts'
import { manifest } from './manifest.ts'
import { newRecord, type RecordBody, type RecordType, upcast } from './record.ts'

const plural = (word: string): string => `${word}${word.endsWith('ch') ? 'es' : 's'}`

const refusal = expect.objectContaining({ code: 'record_too_new' })

describe.each(recordTypes)('%s', (type) => {
  test('has a version and a topic named after its family', () => {
    const { v, topic } = manifest[type]
    expect(v).toBeGreaterThanOrEqual(1)
    expect(topic).toBe(plural(type.split('.')[0] ?? ''))
  })

  test('its body comes back from JSON as it was, and as the schema knows it', () => {
    const arbitrary = bodies[type] as fc.Arbitrary<RecordBody<RecordType>>
    fc.assert(
      fc.property(arbitrary, (body) => {
        const back: unknown = JSON.parse(JSON.stringify(body))
        expect(back).toEqual(body)
        expect(manifest[type].body.parse(back)).toEqual(back)
      }),
      { numRuns: 20 },
    )
  })
})

test('a new record carries topic and version of its type', () => {
  const context = { id: 'rec_1', at: now, actor: { kind: 'daemon' as const }, agent: null, project: null }
  expect(newRecord('directive.held', { reason: 'x' }, context)).toEqual({
    ...context,
    cause: null,
    topic: 'directives',
    type: 'directive.held',
    v: 1,
    body: { reason: 'x' },
  })
})

test('what this version has written it reads; what a newer one has written it refuses', () => {
  for (const type of recordTypes) {
    const { v } = manifest[type]
    expect(() => upcast({ type, v, seq: 1 })).not.toThrow()
    expect(() => upcast({ type, v: v + 1, seq: 1 })).toThrow(refusal)
  }
  expect(() => upcast({ type: 'link.opened', v: 1, seq: 1 })).toThrow(refusal)
})
