import { expect, test } from 'vitest'
import { expression } from '../match/regex.ts'
import { otherThan } from './other-than.ts'

const fits = (text: string): boolean => expression(`^rein ${otherThan(['ps', 'paths', 'logs'], ' ', '-')}`).test(text)

test.each(['rein ps', 'rein ps --json', 'rein paths', 'rein logs x', 'rein -h', 'rein '])(
  '%s is one of them',
  (text) => {
    expect(fits(text)).toBe(false)
  },
)

test.each(['rein p', 'rein pa', 'rein psx', 'rein path x', 'rein stop', 'rein log', 'rein logss'])(
  '%s is none of them',
  (text) => {
    expect(fits(text)).toBe(true)
  },
)
