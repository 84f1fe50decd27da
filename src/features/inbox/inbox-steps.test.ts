import { expect, test } from 'vitest'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import { InboxSteps } from './inbox-steps.ts'

test('listeners hear each step in the order in which they were added, followers only of their directive', async () => {
  const { item, tell, records } = startInbox()
  const { directive } = await tell('Use tabs.')
  const steps = new InboxSteps()
  const heard: string[] = []
  for (const name of ['first', 'second'])
    steps.listen({ onStep: ({ state }, { type }) => heard.push(`${name} ${state} ${type}`) })
  const ends = new AbortController()
  const followed = steps.next(directive.id, ends.signal).then(() => heard.push('followed'))
  const other = steps.next('dir_other', ends.signal).then(() => heard.push('aborted'))
  const [record] = records
  if (record === undefined) throw new Error('Nothing was accepted.')
  steps.emitStep(item(directive.id), record)
  await followed
  ends.abort()
  await other
  expect(heard).toEqual(['first queued directive.accepted', 'second queued directive.accepted', 'followed', 'aborted'])
})
