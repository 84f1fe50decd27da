import { describe, expect, test } from 'vitest'
import { agentRef, now, person, stranger } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Mention, NumberedPost } from '../../contract/team.ts'
import { MentionDelivery, mentionId } from './mention-delivery.ts'

const aPost = (n: number, author: Actor, kind: Mention['kind'] = 'plain'): NumberedPost => ({
  n,
  id: `post_${n}`,
  room: `${agentRef.project}/build`,
  author,
  text: `@worker ${n}`,
  at: now,
  mentions: [{ agent: agentRef, kind }],
  kind: 'message',
})

const setUp = (limits: Parameters<typeof startInbox>[0] = {}) => {
  const box = startInbox(limits)
  const troubles: unknown[] = []
  const mentions = new MentionDelivery({ inbox: box.inbox, onTrouble: (cause) => troubles.push(cause) })
  const waiting = () => box.inbox.openItems(agentRef.id).map(({ directive }) => directive.text)
  return { ...box, mentions, troubles, waiting }
}

describe('a mention', () => {
  test('is an item in the inbox, the same one however often it is delivered', async () => {
    const { mentions, waiting, item } = setUp()
    const id = mentionId('post_1', agentRef.id)
    const delivered = { agent: agentRef, kind: 'urgent', directive: id, isDamped: false }
    for (const _ of [1, 2]) expect(await mentions.deliver(aPost(1, person, 'urgent'))).toEqual([delivered])
    expect(waiting()).toEqual(['@worker 1'])
    expect(item(id).directive).toMatchObject({ priority: 'urgent', type: 'mention', from: 'the user' })
  })

  test('that only asks how somebody is goes to nobody', async () => {
    const { mentions, waiting } = setUp()
    expect(await mentions.deliver(aPost(1, person, 'query'))).toEqual([])
    expect(waiting()).toEqual([])
  })

  test('by an agent is one of five that wait, also when all come at once; those of people are not counted', async () => {
    const { mentions, waiting, inbox } = setUp()
    const posts = Array.from({ length: 20 }, (_, n) => aPost(n, stranger))
    const delivered = (await Promise.all(posts.map((post) => mentions.deliver(post)))).flat()
    expect(delivered.map(({ isDamped }) => isDamped)).toEqual([...Array(5).fill(false), ...Array(15).fill(true)])
    for (const n of [20, 21]) await mentions.deliver(aPost(n, person))
    expect(waiting()).toHaveLength(7)
    const [first] = inbox.openItems(agentRef.id)
    if (first !== undefined) await inbox.cancel(first, person)
    expect(await mentions.deliver(aPost(22, stranger))).toMatchObject([{ isDamped: false }])
    expect(await mentions.deliver(aPost(23, stranger))).toMatchObject([{ isDamped: true }])
  })

  test('that an inbox does not take is no failure, and takes no place', async () => {
    const { mentions, waiting, troubles, disk } = setUp()
    disk.failure = new Error('no room')
    for (let n = 0; n < 9; n += 1)
      expect(await mentions.deliver(aPost(n, stranger))).toMatchObject([{ directive: null, isDamped: false }])
    expect(troubles).toHaveLength(9)
    disk.failure = null
    expect(await mentions.deliver(aPost(9, stranger))).toMatchObject([{ isDamped: false }])
    expect(waiting()).toEqual(['@worker 9'])
  })
})
