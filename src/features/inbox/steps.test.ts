import { expect, test } from 'vitest'
import { startInbox } from '../../../test/support/inbox-harness.ts'

test('listeners hear each step in the order in which they were added, followers only of their directive', async () => {
  const { inbox, tell } = startInbox()
  const heard: string[] = []
  for (const name of ['first', 'second'])
    inbox.listen({ onStep: ({ state }, { type }) => heard.push(`${name} ${state} ${type}`) })
  const ends = new AbortController()
  const id = 'dir_00000000-0000-7000-8000-000000000001'
  const followed = inbox.nextStep(id, ends.signal).then(() => heard.push('followed'))
  const other = inbox.nextStep('dir_other', ends.signal).then(() => heard.push('aborted'))
  await tell('Use tabs.', { id })
  await followed
  ends.abort()
  await other
  expect(heard).toEqual(['first queued directive.accepted', 'second queued directive.accepted', 'followed', 'aborted'])
})
