import { expect, test } from 'vitest'
import { aDirective } from '../../test/support/builders.ts'
import type { Origin } from '../contract/directive.ts'
import { renderPart } from '../features/inbox/fence.ts'
import { wakeSentence } from '../contract/wake.ts'
import type { Item } from '../features/inbox/receipt.ts'
import { personName } from '../contract/person.ts'
import { offerOf } from '../features/inbox/choose-offers.ts'
import { plainWords as wordsFor } from './plain-words.ts'

const plainWords = (text: string): string => wordsFor(text, { isAgent: false })

const directive = aDirective({
  id: 'dir_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b',
  from: 'ada',
  text: 'Use tabs.\nAlways.',
})
const wake = `<task-notification>\n<summary>Rein: something in the inbox</summary>\n</task-notification>\n<system-reminder>\nRein says: ${wakeSentence}\n\n</system-reminder>`

test('a directive is who told what, and its short id', () => {
  expect(plainWords(renderPart(directive, 1))).toBe('ada told it: Use tabs.\nAlways. (dir_c21d0a7b)')
  expect(plainWords(`Two for you:\n${renderPart(directive, 1)}\n${renderPart(directive, 1)}`).split('\n')).toHaveLength(
    5,
  )
})

test('what came from a room or a channel says so', () => {
  const author = { kind: 'agent', id: 'agt_1', handle: 'bob' } as const
  const room = { room: 'shop/team', post: 'post_1', n: 3, author, at: 0 }
  expect(plainWords(renderPart({ ...directive, text: 'Hi', origin: room }, 1))).toBe('bob in team: Hi (dir_c21d0a7b)')
  const channel = { channel: 'telegram', sender: 'eve', at: 0, claimedAt: null }
  expect(plainWords(renderPart({ ...directive, text: 'Hi', origin: channel }, 1))).toBe(
    'eve on telegram: Hi (dir_c21d0a7b)',
  )
})

test('you are you, and what the model is to do about it is left out', () => {
  const item: Item = {
    directive: aDirective({ ...directive, from: personName }),
    seq: 1,
    state: 'queued',
    steps: [],
    attempts: 0,
    offers: [],
    partCount: 1,
    offeredAt: null,
    seenAt: null,
  }
  const told = (origin?: Origin, text = 'Hi'): string =>
    plainWords(offerOf({ ...item, directive: { ...item.directive, origin, text } }).text)
  expect(told()).toBe('you told it: Hi (dir_c21d0a7b)')
  expect(wordsFor(offerOf(item).text, { isAgent: true })).toMatch(/^the user told it: /)
  const room = { room: 'shop/team', post: 'post_1', n: 3, at: 0 }
  expect(told({ ...room, author: { kind: 'user', name: 'ada' } })).toBe('you in team: Hi (dir_c21d0a7b)')
  expect(told({ ...room, author: { kind: 'agent', id: 'agt_1', handle: 'bob' } })).toMatch(
    /^\w+ in team: Hi \(dir_c21d0a7b\)$/,
  )
  expect(told({ channel: 'telegram', sender: 'eve', at: 0, claimedAt: null })).toBe(
    'eve on telegram: Hi (dir_c21d0a7b)',
  )
  expect(told(undefined, 'x'.repeat(20_000))).not.toContain('Read the rest before you act')
})

test('a wake is one, whatever the CLI wraps it into, and is not mentioned beside what it brought', () => {
  expect(plainWords(wake)).toBe('woken by Rein')
  expect(plainWords(`${wakeSentence}\n${renderPart({ ...directive, text: 'Hi' }, 1)}`)).toBe(
    'ada told it: Hi (dir_c21d0a7b)',
  )
})

test('what a CLI tells its model is told without tags, and all else stays as it is', () => {
  const done =
    '<task-notification>\n<task-id>a</task-id>\n<summary>Agent "help" finished</summary>\n</task-notification>'
  expect(plainWords(done)).toBe('Agent "help" finished')
  expect(plainWords('Make <b>bold</b> work')).toBe('Make <b>bold</b> work')
})
