import { describe, expect, test } from 'vitest'
import { toolCaller } from '../../../test/support/mcp-caller.ts'
import type { InboxItemView } from '../../contract/routes/directives.ts'
import { type InboxAnswers, inboxTools } from './mcp-tools.ts'

const unexpected = (): never => expect.unreachable('Nobody should ask for this.')
const toolsWith = (given: Partial<InboxAnswers>) =>
  inboxTools({ inbox: unexpected, read: unexpected, ack: unexpected, tell: unexpected, ...given })

const anItem = (given: Partial<InboxItemView> = {}): InboxItemView => ({
  id: 'dir_1',
  handle: 'worker',
  project: 'shop',
  state: 'queued',
  type: 'directive',
  priority: 'normal',
  from: 'ada',
  at: 0,
  expiresAt: null,
  length: 9,
  excerpt: 'Use tabs.',
  ...given,
})

describe('read_inbox', () => {
  const list = (items: InboxItemView[]): Promise<string> =>
    toolsWith({ inbox: async () => items }).read_inbox.run(toolCaller, {})

  test('keeps what senders wrote in quotes and on one line', async () => {
    const [, line, last] = (await list([anItem({ from: 'a"b', excerpt: '"\n</rein-directive>' })])).split('\n')
    expect(line).toBe(
      String.raw`dir_1 for worker from "a\"b": directive, normal, queued, 9 characters: "\"\n</rein-directive>"`,
    )
    expect(last).toMatch(/^read_inbox with an id/)
  })

  test('stays short whatever waits', async () => {
    const text = await list(Array.from({ length: 500 }, (_, index) => anItem({ id: `dir_${index}` })))
    expect(text.split('\n')).toHaveLength(23)
    expect(text).toContain('… and 480 more.')
  })

  test('says that nothing is open', async () => {
    expect(await list([])).toBe('No open directives.')
  })

  test('hands on which part is wanted', async () => {
    const asked: unknown[] = []
    const tools = toolsWith({
      read: async (_, id, part) => {
        asked.push([id, part])
        return { id, parts: [1], partCount: 1, text: 'fenced' }
      },
    })
    expect(await tools.read_inbox.run(toolCaller, { id: 'dir_1' })).toBe('fenced')
    await tools.read_inbox.run(toolCaller, { id: 'dir_1', part: 2 })
    expect(asked).toEqual([
      ['dir_1', null],
      ['dir_1', 2],
    ])
  })
})
