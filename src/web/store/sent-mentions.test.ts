import { beforeEach, expect, test } from 'vitest'
import type { Receipt } from '../../contract/directive.ts'
import { SentMentions } from './sent-mentions.ts'

let open: Map<string, { tell: (receipt: Receipt) => void; end: (error: Error | null) => void }>
let mentions: SentMentions

const receipt = (state: Receipt['state']): Receipt => ({ id: 'dir', handle: 'ada', state, steps: [] })
const posted = (id: string, ...directives: (string | null)[]) => ({
  id,
  mentions: directives.map((directive) => ({ handle: 'ada', kind: 'plain' as const, directive, damped: false })),
})
const statesOf = (post: string) => mentions.byPost.value.get(post)?.mentions.map((one) => one.receipt?.state)

beforeEach(() => {
  open = new Map()
  mentions = new SentMentions((directive, tell, end) => {
    open.set(directive, { tell, end })
    return () => void open.delete(directive)
  })
})

test('are followed while their room is shown', () => {
  const close = mentions.show('shop/general')
  mentions.add('shop/general', posted('post_1', 'dir_1', null))
  mentions.add('shop/other', posted('post_2', 'dir_2'))
  expect([...open.keys()]).toEqual(['dir_1'])
  open.get('dir_1')?.tell(receipt('placed'))
  expect(statesOf('post_1')).toEqual(['placed', undefined])
  close()
  expect(open.size).toBe(0)
  mentions.show('shop/other')
  expect([...open.keys()]).toEqual(['dir_2'])
})

test('that are over are not followed again', () => {
  const close = mentions.show('shop/general')
  mentions.add('shop/general', posted('post_1', 'dir_1'))
  open.get('dir_1')?.tell(receipt('seen'))
  open.get('dir_1')?.end(null)
  close()
  mentions.show('shop/general')
  expect([open.size, statesOf('post_1')]).toEqual([0, ['seen']])
})

test('that could not be followed are followed again when the room is shown again', () => {
  const close = mentions.show('shop/general')
  mentions.add('shop/general', posted('post_1', 'dir_1'))
  open.get('dir_1')?.end(new Error('Too many streams.'))
  close()
  open.clear()
  mentions.show('shop/general')
  open.get('dir_1')?.tell(receipt('seen'))
  expect(statesOf('post_1')).toEqual(['seen'])
})

test('only the newest are followed and known', () => {
  mentions.show('shop/general')
  for (let at = 0; at < 60; at += 1) mentions.add('shop/general', posted(`post_${at}`, `dir_${at}`))
  expect([open.size, open.has('dir_59'), open.has('dir_27')]).toEqual([32, true, false])
  expect([mentions.byPost.value.size, mentions.byPost.value.has('post_9')]).toEqual([50, false])
  open.get('dir_59')?.end(null)
  expect(open.has('dir_27')).toBe(true)
})
