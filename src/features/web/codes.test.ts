import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { codeLifeMs, type Grant, PairingCodes } from './codes.ts'

const grant: Grant = { scopes: ['read', 'answer'], name: 'phone' }

const codesAt = (clock = { now: 0 }) => {
  const wrong: number[] = []
  const onWrong = (count: number): void => void wrong.push(count)
  return { clock, wrong, codes: new PairingCodes({ now: () => clock.now, random: randomBytes, onWrong }) }
}

const refusal = (codes: PairingCodes, code: string): string => {
  try {
    codes.take(code)
  } catch (cause) {
    return (cause as { code: string }).code
  }
  return 'taken'
}

test('a code has 128 bits and gives what it was made for, once', () => {
  const { codes } = codesAt()
  const { code, expiresAt } = codes.make(grant)
  expect(code).toMatch(/^[\w-]{22}$/)
  expect(expiresAt).toBe(codeLifeMs)
  expect(codes.take(code)).toEqual(grant)
  expect(refusal(codes, code)).toBe('forbidden')
})

test('each code is its own', () => {
  const { codes } = codesAt()
  const [one, other] = [codes.make(grant), codes.make({ scopes: ['admin'], name: null })]
  expect(codes.take(other.code)).toEqual({ scopes: ['admin'], name: null })
  expect(codes.take(one.code)).toEqual(grant)
})

test('it ends after five minutes', () => {
  const { clock, codes } = codesAt()
  const { code, expiresAt } = codes.make(grant)
  clock.now = expiresAt - 1
  codes.sweep()
  const late = codes.make(grant)
  clock.now = expiresAt
  expect(refusal(codes, code)).toBe('forbidden')
  expect(refusal(codes, late.code)).toBe('taken')
})

test('wrong codes are told of once a minute, all of them, and keep nobody from using a right one', () => {
  const { clock, codes, wrong } = codesAt()
  const { code } = codes.make(grant)
  const answers = Array.from({ length: 50 }, (_, n) => refusal(codes, `wrong ${n}`))
  expect([...new Set(answers)]).toEqual(['forbidden'])
  expect(wrong).toEqual([1])
  expect(refusal(codes, code)).toBe('taken')
  clock.now += 60_000
  codes.sweep()
  expect(wrong).toEqual([1, 49])
  clock.now += 60_000
  codes.sweep()
  expect(wrong).toEqual([1, 49])
})

test('what was made for a code goes with it, however it ends', () => {
  const { clock, codes } = codesAt()
  const ended: string[] = []
  const used = codes.make(grant, () => ended.push('used'))
  codes.make(grant, () => ended.push('late'))
  codes.take(used.code)
  expect(ended).toEqual(['used'])
  clock.now = codeLifeMs
  codes.sweep()
  expect(ended).toEqual(['used', 'late'])
  codes.make(grant, () => ended.push('stopped'))
  codes.clear()
  expect(ended).toEqual(['used', 'late', 'stopped'])
})

test('of too many open codes the oldest gives way', () => {
  const { codes } = codesAt()
  const made = Array.from({ length: 17 }, () => codes.make(grant).code)
  expect(made.map((code) => refusal(codes, code))).toEqual(['forbidden', ...Array<string>(16).fill('taken')])
})
