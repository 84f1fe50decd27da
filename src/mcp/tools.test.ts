import { describe, expect, test } from 'vitest'
import { caller } from '../../test/support/mcp-caller.ts'
import type { AgentView } from '../contract/routes/agents.ts'
import type { InboxItemView } from '../contract/routes/directives.ts'
import { tools } from './tools.ts'

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
    tools.read_inbox.run(caller({ inbox: async () => items }), {})

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
    const reader = caller({
      read: async (id, part) => {
        asked.push([id, part])
        return { id, parts: [1], partCount: 1, text: 'fenced' }
      },
    })
    expect(await tools.read_inbox.run(reader, { id: 'dir_1' })).toBe('fenced')
    await tools.read_inbox.run(reader, { id: 'dir_1', part: 2 })
    expect(asked).toEqual([
      ['dir_1', null],
      ['dir_1', 2],
    ])
  })
})

test('list_agents gives each agent one line, with the handle that tell_agent takes', async () => {
  const agent: AgentView = {
    handle: 'worker',
    project: 'shop',
    driver: 'claude',
    version: '2.1.197',
    host: 'stream',
    state: 'awaiting_permission',
    since: 0,
    cwd: '/a "b"',
    pid: 1,
    conversation: null,
    question: null,
    inbox: { queued: 1, offered: 1, placed: 0, seen: 1, acked: 9 },
    until: null,
    isPaused: false,
    pauseReason: null,
    crashes: 0,
    health: { hooks: 'heard', failures: 0, healed: 0 },
    weakened: [],
    wake: 'protocol',
  }
  expect(await tools.list_agents.run(caller({ agents: async () => [agent] }), {})).toBe(
    String.raw`shop/worker: claude, awaiting permission, 3 open directives, in "/a \"b\""`,
  )
})
