import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentRef } from '../../../test/support/builders.ts'
import type { Lease, LeaseMode } from '../../contract/lease.ts'
import { pathGlob } from '../rules/glob.ts'
import { leaseGlob, mayMeet, patternsOf, realGlob } from './glob.ts'
import { type Clock, decideTake, type Held, isOver, leftOf, overOnes } from './lease.ts'

describe('a glob of a lease', () => {
  test.each([
    ['src/parser/**', 'src/parser/**'],
    ['./src/../docs/', 'docs'],
    ['/p/src/a.ts', 'src/a.ts'],
    ['/p', '.'],
    ['**', '**'],
    ['src/*/', 'src/*/**'],
    ['{src,docs}/', '{src,docs}'],
  ])('%s is kept as %s', (given, kept) => {
    expect(leaseGlob(given, '/p')).toBe(kept)
  })

  test.each(['', '!src', '../other', '/etc/passwd', 'a{b', 'src/../../x', 'src/{..,x}/a', '{a/../b,c}'])(
    '%j is refused',
    (given) => {
      expect(() => leaseGlob(given, '/p')).toThrow(/is no glob of files|is outside of/)
    },
  )

  test.each([
    ['src', 'src/a/b.ts', true],
    ['src', 'srcs', false],
    ['.', '.env', true],
    ['*', '.env', true],
    ['src/*.ts', 'src/a.js', false],
    ['src/*.ts', 'src/a*', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['**/*.ts', 'docs/**', true],
    ['{src,docs}', 'docs/a.md', true],
    ['a?c', 'abd', false],
    ['src/a.ts', 'src/a.ts/x', true],
    ['{a*/,b}', 'ab/c', true],
    [String.raw`a\*`, 'a*/x', true],
    ['{src,./docs}', 'docs/a.md', true],
  ])('%s and %s may meet: %s', (one, other, isMet) => {
    expect([mayMeet(one, other), mayMeet(other, one)]).toEqual([isMet, isMet])
  })
})

test.each([
  ['link/a.ts', 'src/parser/a.ts'],
  ['link/**', 'src/parser/**'],
  ['{link/a.ts,b}', '{src/parser/a.ts,b}'],
  ['odd', String.raw`a\*b`],
  ['out/x', 'out/x'],
  ['.', '.'],
])('%s is kept as what it really is: %s', async (given, kept) => {
  const links: Record<string, string> = { '/p/link': '/p/src/parser', '/p/odd': '/p/a*b', '/p/out': '/elsewhere' }
  const realPath = (file: string) => Promise.resolve(file.replace(/^\/p\/\w+/, (start) => links[start] ?? start))
  expect(await realGlob(given, '/p', realPath)).toBe(kept)
})

const minute = 60_000
const never = (): boolean => false

const aLease = (given: Partial<Lease>): Lease => ({
  id: 'lease_1',
  project: agentRef.project,
  root: '/p',
  glob: 'src',
  mode: 'exclusive',
  holder: agentRef,
  why: null,
  at: 0,
  until: 30 * minute,
  ...given,
})

describe('the end of a lease', () => {
  const held = { lease: aLease({}), endsAt: 1000 + 30 * minute }

  test.each([
    ['both clocks have gone on a little', { now: minute, steady: 1000 + minute }, false],
    ['its time is over', { now: 30 * minute, steady: 1000 + 30 * minute }, true],
    ['the clock on the wall was set forward', { now: 40 * minute, steady: 1001 }, true],
    ['the clock on the wall was set back', { now: -1e9, steady: 1000 + 30 * minute }, true],
  ])('%s', (_, clock, over) => {
    expect(isOver(held, clock)).toBe(over)
  })

  test('found by another daemon it lasts as long as is left, and never longer than it was taken for', () => {
    const { lease } = held
    expect(leftOf(lease, 0, 10 * minute)).toBe(20 * minute)
    expect(leftOf(lease, 0, -1e9)).toBe(30 * minute)
    expect(leftOf(lease, 0, 1e9)).toBe(0)
  })
})

describe('one’s own', () => {
  const clock = { now: minute, steady: minute }
  const held = [{ lease: aLease({}), endsAt: 30 * minute }]

  test('taken again is renewed', () => {
    const decided = decideTake(held, aLease({ id: 'lease_2', until: 40 * minute }), clock, never)
    expect(decided).toMatchObject({ deeds: [{ type: 'renewed' }], lease: { id: 'lease_1', until: 40 * minute } })
  })

  test('taken again for something else is for that, and else for what it was for', () => {
    const again = (why: string | null) =>
      decideTake([{ lease: aLease({ why: 'the parser' }), endsAt: 30 * minute }], aLease({ why }), clock, never)
    expect(again('the lexer')).toMatchObject({ deeds: [{ lease: { why: 'the lexer' } }], lease: { why: 'the lexer' } })
    expect(again(null)).toMatchObject({ deeds: [{ lease: { why: 'the parser' } }], lease: { why: 'the parser' } })
  })

  test('in the other mode takes its place', () => {
    const decided = decideTake(held, aLease({ id: 'lease_2', mode: 'shared' }), clock, never)
    expect(decided).toMatchObject({ deeds: [{ type: 'ended', why: 'released' }, { type: 'taken' }] })
  })

  test('and others may have the same path in another work tree', () => {
    const other = { ...agentRef, id: 'agt_other' }
    expect(decideTake(held, aLease({ holder: other, root: '/p-worktrees/a' }), clock, never)).toHaveProperty('deeds')
    expect(decideTake(held, aLease({ holder: other }), clock, never)).toHaveProperty('refusedBy')
  })

  test('a top that lies in another is another only as a work tree of the same repository', () => {
    const inside = aLease({ holder: { ...agentRef, id: 'agt_other' }, root: '/p/src/lib', glob: '**' })
    expect(decideTake(held, inside, clock, never)).toHaveProperty('refusedBy')
    expect(decideTake(held, inside, clock, () => true)).toHaveProperty('deeds')
    expect(decideTake(held, { ...inside, root: '/p/docs' }, clock, never)).toHaveProperty('deeds')
  })
})

type Step =
  | { kind: 'take'; who: number; glob: string; mode: LeaseMode; ttl: number }
  | { kind: 'release'; which: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'set'; ms: number }
  | { kind: 'restart' }

const names = fc.constantFrom('a', 'b', '*', '**', '?', 'a*', '{a,b}')
const aGlob = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      who: fc.nat(2),
      glob: aGlob,
      mode: fc.constantFrom('exclusive' as const, 'shared' as const),
      ttl: fc.integer({ min: 1, max: 20 }),
    }),
  },
  fc.record({ kind: fc.constant('release' as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15 }) }),
  fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -100, max: 100 }) }),
  fc.constant({ kind: 'restart' as const }),
)

const paths = ['a', 'b', 'ab'].flatMap((one) => [
  one,
  ...['a', 'b', 'ab'].flatMap((two) => [`${one}/${two}`, `${one}/${two}/a`]),
])
const fits = ({ glob }: Lease, file: string): boolean => patternsOf(glob).some((pattern) => pathGlob(pattern)(file))

/** Path by path, by what a glob matches: whoever has one exclusively has it alone. */
const check = (held: readonly Held[], clock: Clock): void => {
  const open = held.filter((one) => !isOver(one, clock)).map(({ lease }) => lease)
  for (const file of paths) {
    const here = open.filter((lease) => fits(lease, file))
    const holders = new Set(here.map(({ holder }) => holder?.id))
    if (here.some(({ mode }) => mode === 'exclusive')) expect(holders.size).toBe(1)
  }
}

type Decider = typeof decideTake

/** Whatever is done, and however clocks are set, with daemons that begin anew in between. */
const holds = (decide: Decider) =>
  fc.property(fc.array(aStep, { maxLength: 40 }), (steps) => {
    const clock = { now: 0, steady: 0 }
    let held: (Held & { setAt: number; ttl: number })[] = []
    for (const [at, step] of steps.entries()) {
      if (step.kind === 'wait') Object.assign(clock, { now: clock.now + step.ms, steady: clock.steady + step.ms })
      if (step.kind === 'set') clock.now += step.ms
      if (step.kind === 'release') held.splice(step.which, 1)
      if (step.kind === 'restart')
        held = held.map((one) => {
          const left = leftOf(one.lease, one.setAt, clock.now)
          expect(left).toBeLessThanOrEqual(one.ttl)
          return { ...one, endsAt: clock.steady + left }
        })
      if (step.kind === 'take') {
        const { who, glob, mode, ttl } = step
        const holder = { ...agentRef, id: `agt_${who}` }
        const wanted = aLease({ id: `lease_${at}`, holder, glob, mode, at: clock.now, until: clock.now + ttl })
        const decided = decide(held, wanted, clock, never)
        for (const deed of 'deeds' in decided ? decided.deeds : []) {
          held = held.filter(({ lease }) => lease.id !== deed.lease.id)
          if (deed.type === 'ended') continue
          held.push({ lease: deed.lease, endsAt: clock.steady + ttl, setAt: clock.now, ttl })
        }
      }
      check(held, clock)
      // What is over ends, as the daemon's own look does it: it never comes back with a clock that is set back.
      const over = new Set(overOnes(held, clock).map(({ lease }) => lease.id))
      held = held.filter(({ lease }) => !over.has(lease.id))
    }
  })

test('nobody holds what somebody else has exclusively, at any time', () => {
  expect(() => fc.assert(holds(decideTake), { numRuns: 200 })).not.toThrow()
})

test('whoever forgets to look at what others hold is found out', () => {
  const forgetful: Decider = (held, wanted, clock, areApart) =>
    decideTake(
      held.filter(({ lease }) => lease.holder?.id === wanted.holder?.id),
      wanted,
      clock,
      areApart,
    )
  expect(fc.check(holds(forgetful), { numRuns: 200 }).failed).toBe(true)
})
