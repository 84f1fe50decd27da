import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { chooseId, matchesId, shortenIds, shortId } from './ids.ts'

const id = 'dir_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b'

test('the short form is the kind and the last eight digits', () => {
  expect(shortId(id)).toBe('dir_c21d0a7b')
  expect(shortId('dir_699b712af3540a12fbcfdfdf3d7b83b9')).toBe('dir_3d7b83b9')
  expect(shortId('ses_0123456789ab')).toBe('ses_0123456789ab')
  expect(shortId('worker-1')).toBe('worker-1')
})

test('a text shows its ids short, and whole ones where two would look the same', () => {
  expect(shortenIds(`${id} is acked already: rein receipt ${id}`)).toBe(
    'dir_c21d0a7b is acked already: rein receipt dir_c21d0a7b',
  )
  expect(shortenIds('no agent agt_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b.')).toBe('no agent agt_c21d0a7b.')
  const twins = `Give one of: ${id}, dir_01a1e8c4-502d-7521-bd1a-aaaac21d0a7b.`
  expect(shortenIds(twins)).toBe(twins)
  expect(shortenIds('ses_0123456789ab of worker-1')).toBe('ses_0123456789ab of worker-1')
})

test('ids made in one burst have the same beginning, and short forms of their own', () => {
  const ids = Array.from({ length: 2000 }, () => `dir_${v7()}`)
  expect(new Set(ids.map((one) => one.slice(0, 12))).size).toBeLessThan(3)
  // A pair among 2,000 random forms of 32 bits: one run in 2,000.
  expect(new Set(ids.map(shortId)).size).toBeGreaterThan(ids.length - 2)
})

test.each([
  [id, true],
  ['dir_01a1', true],
  ['dir_01a1e8c4-502d', true],
  ['dir_c21d0a7b', true],
  ['dir_c21d', true],
  ['c21d0a7b', true],
  ['dir_c21', false],
  ['dir_0a7b', false],
  ['evt_c21d0a7b', false],
  ['dir_', false],
  ['', false],
])('%s names it: %s', (given, isNamed) => {
  expect(matchesId(id, given)).toBe(isNamed)
})

test('one match is meant, several are listed, none is left to the lookup', () => {
  const other = 'dir_01a1e8c4-502d-7521-bd1a-cbe1ffffffff'
  expect(chooseId('dir_c21d', [id])).toBe(id)
  expect(chooseId('dir_01a1', [])).toBe('dir_01a1')
  expect(chooseId(id, [id, other])).toBe(id)
  expect(() => chooseId('dir_01a1', [id, other])).toThrow(
    expect.objectContaining({
      code: 'ambiguous_id',
      message: 'dir_01a1 matches several ids.',
      hint: 'Give one of: dir_c21d0a7b, dir_ffffffff.',
    }),
  )
  const twin = 'dir_01a1e8c4-502d-7521-bd1a-ffffc21d0a7b'
  expect(() => chooseId('dir_c21d0a7b', [id, twin])).toThrow(
    expect.objectContaining({ hint: `Give one of: ${id}, ${twin}.` }),
  )
})
