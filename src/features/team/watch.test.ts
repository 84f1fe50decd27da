import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TeamFile, type Watch, watchesAll } from '../../contract/team.ts'
import { register, unregister, watchesEvent, watchesRoom } from './watch.ts'

const team: TeamFile = {
  agents: {},
  hubs: {
    backend: { rooms: ['api', 'db-*'], events: ['task-*', 'heartbeat'] },
    frontend: { rooms: ['web'], events: [] },
  },
}
const nobody: Watch = { subjects: [], except: [], intervalS: null }
const isIn = (watch: Watch, room: string): boolean => watchesRoom(watch, room, team)
const after = (watch: Watch, ...lines: string[]): Watch =>
  lines.reduce(
    (before, line) => (line.startsWith('-') ? unregister(before, line.slice(1)) : register(before, line)),
    watch,
  )

describe('what is watched', () => {
  test('at first everything but ambient events', () => {
    expect(isIn(watchesAll, 'api')).toBe(true)
    expect(watchesEvent(watchesAll, 'task-complete', false, team)).toBe(true)
    expect(watchesEvent(watchesAll, 'heartbeat', true, team)).toBe(false)
  })

  test('an ambient event that is named, in the watch or in a hub', () => {
    expect(watchesEvent(register(watchesAll, 'bus:heartbeat'), 'heartbeat', true, team)).toBe(true)
    expect(watchesEvent(register(nobody, 'hub:backend'), 'heartbeat', true, team)).toBe(true)
    expect(watchesEvent(register(nobody, 'hub:backend'), 'task-tick', true, team)).toBe(false)
    expect(watchesEvent(register(nobody, 'bus:heart*'), 'heartbeat', true, team)).toBe(false)
    expect(watchesEvent(after(nobody, 'hub:backend', '-bus:heartbeat'), 'heartbeat', true, team)).toBe(false)
  })

  test('a hub stands for what the file lists there', () => {
    const watch = register(nobody, 'hub:backend')
    expect(['api', 'db-main', 'web'].map((room) => isIn(watch, room))).toEqual([true, true, false])
    expect(watchesEvent(watch, 'task-failed', false, team)).toBe(true)
    expect(watchesEvent(watch, 'human-input', false, team)).toBe(false)
    expect(isIn(register(nobody, 'hub:*'), 'web')).toBe(true)
    expect(isIn(register(nobody, 'hub:gone'), 'api')).toBe(false)
  })

  test('a dropped hub is silent, but for what is watched by its own name', () => {
    const dropped = unregister(watchesAll, 'hub:backend')
    expect(['api', 'db-main', 'web'].map((room) => isIn(dropped, room))).toEqual([false, false, true])
    expect(isIn(register(dropped, 'room:api'), 'api')).toBe(true)
    expect(isIn(register(dropped, 'hub:backend'), 'api')).toBe(true)
  })

  test('a room that was dropped stays so when its hub is registered', () => {
    const watch = after(nobody, 'hub:backend', '-room:api', 'hub:backend', 'hub:frontend')
    expect(['api', 'db-main', 'web'].map((room) => isIn(watch, room))).toEqual([false, true, true])
  })

  test('only one hub after all rooms were dropped', () => {
    const watch = after(watchesAll, '-room:*', 'hub:frontend')
    expect(watch).toEqual({ subjects: ['bus:*', 'hub:frontend'], except: [], intervalS: null })
    expect([isIn(watch, 'web'), isIn(watch, 'api')]).toEqual([true, false])
  })
})

describe('what is kept of it', () => {
  test('one room less is an exception, and gone when it is back', () => {
    const less = unregister(watchesAll, 'room:api')
    expect(less).toEqual({ ...watchesAll, except: ['room:api'] })
    expect(register(less, 'room:api')).toEqual(watchesAll)
  })

  test('nothing is added that is covered, and nothing excepted that was not watched', () => {
    expect(register(watchesAll, 'room:api')).toEqual(watchesAll)
    expect(register(watchesAll, 'room:a*')).toEqual(watchesAll)
    expect(unregister({ ...nobody, subjects: ['room:b*'] }, 'room:api')).toEqual({ ...nobody, subjects: ['room:b*'] })
  })

  test('a wider one takes the place of those within it', () => {
    expect(after(watchesAll, '-room:api', '-room:apple', '-room:ap*').except).toEqual(['room:ap*'])
    expect(after(watchesAll, '-room:api', '-room:apple', 'room:a*')).toEqual(watchesAll)
  })

  test('of two that cross, the new one holds', () => {
    const watch = after(watchesAll, '-room:*-old', 'room:api-*')
    expect(isIn(watch, 'api-old')).toBe(true)
    expect(isIn(after(watch, '-room:*-old'), 'api-old')).toBe(false)
  })
})

/** Few letters, so that they meet; a `*` only at the end, so that two of them are apart or one is within the other. */
const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 })
const pattern = fc.oneof(
  name,
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 2 }).map((start) => `${start}*`),
)
const anyPattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 })
const subjectOf = (names: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('room', 'bus'), names).map(([kind, each]) => `${kind}:${each}`)
const history = (names: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.boolean(), subjectOf(names)), { maxLength: 8 })
    .map((steps) => after(watchesAll, ...steps.map(([isDrop, subject]) => `${isDrop ? '-' : ''}${subject}`)))

const everything = ['a', 'b', 'c'].flatMap((one) => [
  one,
  ...['a', 'b', 'c'].flatMap((two) => [one + two, ...['a', 'b', 'c'].map((three) => one + two + three)]),
])
const isMeant = (subject: string, kind: string, each: string): boolean => {
  const [given, text = ''] = subject.split(':')
  return given === kind && new RegExp(`^${text.replaceAll('*', '.*')}$`).test(each)
}
const told = (watch: Watch): Map<string, boolean> =>
  new Map(
    everything.flatMap((each) => [
      [`room:${each}`, watchesRoom(watch, each, team)],
      [`bus:${each}`, watchesEvent(watch, each, false, team)],
    ]),
  )
const meant = (subject: string): string[] =>
  [...told(nobody).keys()].filter((each) => isMeant(subject, each.split(':')[0] ?? '', each.split(':')[1] ?? ''))
const valuesOf = (all: ReadonlyMap<string, boolean>, keys: readonly string[]) => keys.map((key) => all.get(key))

describe('whatever was registered and unregistered before', () => {
  test.each([
    ['register', register, true],
    ['unregister', unregister, false],
  ] as const)('%s does what it says, once, and nothing else', (_, change, expected) => {
    fc.assert(
      fc.property(history(pattern), subjectOf(pattern), (watch, subject) => {
        const changed = change(watch, subject)
        const inside = new Set(meant(subject))
        const others = [...told(nobody).keys()].filter((each) => !inside.has(each))
        expect(new Set(valuesOf(told(changed), [...inside]))).toEqual(new Set(inside.size === 0 ? [] : [expected]))
        expect(valuesOf(told(changed), others)).toEqual(valuesOf(told(watch), others))
        expect(change(changed, subject)).toEqual(changed)
      }),
    )
  })

  test.each([
    ['register', register, true],
    ['unregister', unregister, false],
  ] as const)('%s does what it says with a * anywhere', (_, change, expected) => {
    fc.assert(
      fc.property(history(anyPattern), subjectOf(anyPattern), (watch, subject) => {
        const changed = change(watch, subject)
        for (const each of valuesOf(told(changed), meant(subject))) expect(each).toBe(expected)
        expect(change(changed, subject)).toEqual(changed)
      }),
    )
  })

  test('an event type that is registered by name is told of even if it is ambient', () => {
    fc.assert(
      fc.property(history(pattern), name, (watch, type) => {
        expect(watchesEvent(register(watch, `bus:${type}`), type, true, team)).toBe(true)
        expect(watchesEvent(unregister(watch, `bus:${type}`), type, true, team)).toBe(false)
      }),
    )
  })
})
