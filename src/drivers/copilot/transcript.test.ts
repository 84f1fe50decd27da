import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ConversationGraph } from '../conversation.ts'
import { format, locate } from './transcript.ts'

const recorded = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/copilot/1.0.102', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')

const newReader = (): ((line: string) => ConversationEntry[]) => {
  if (format.kind !== 'lines') throw new Error('a file of lines')
  return format.reader()
}
const readAll = (lines: readonly string[]): ConversationEntry[] => {
  const read = newReader()
  return lines.flatMap((line) => read(line))
}
const entries = (name: string): ConversationEntry[] => readAll(recorded(name))
const graphOf = (all: readonly ConversationEntry[]): ConversationGraph => {
  const graph = new ConversationGraph()
  for (const entry of all) graph.add(entry)
  return graph
}
const find = (all: readonly ConversationEntry[], text: string): ConversationEntry => {
  const found = all.find((entry) => entry.text.includes(text))
  if (found === undefined) throw new Error(`nothing says ${text}`)
  return found
}
const event = (type: string, data: object, more: object = {}): string =>
  JSON.stringify({ type, data, id: type, parentId: null, timestamp: '2026-01-01T00:00:00Z', ...more })

describe('what a conversation consists of', () => {
  const all = entries('hook-context')

  test('prompts, replies, results and what hooks added, each for itself', () => {
    const context = ['tool_result', 'hook_context']
    const turns = [
      ['prompt', 'hook_context', 'assistant', ...context, 'assistant', ...context],
      ['assistant', ...context, ...context, 'assistant', ...context, 'assistant'],
      ['prompt', 'hook_context', 'assistant'],
    ]
    expect(all.map(({ kind }) => kind)).toEqual(turns.flat())
  })

  test('context is cut out of the prompt and of the result that it came with', () => {
    expect(all[1]).toMatchObject({ text: 'CTX-camel-userPromptSubmitted', parent: all[0]?.id })
    expect(all[3]?.blocks).toMatchObject([
      { type: 'tool_result', text: 'hi\n<shellId: 0 completed with exit code 0>', isError: false },
    ])
    expect(all[4]).toMatchObject({ text: 'CTX-camel-postToolUse', parent: all[3]?.id })
  })

  test('each hangs on the one before, and everything is behind the last reply', () => {
    expect(all.map(({ parent }) => parent)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)])
    expect(graphOf(all).firstReplyBehind([all[4]?.id ?? ''])).toBe(all[5]?.id)
  })

  test('ids stay the same when it is read again', () => {
    expect(entries('hook-context').map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('results know their call, and replies what they have cost', () => {
    const [first, result] = [all[2], all[3]]
    expect(first).toMatchObject({
      isReply: true,
      message: 'chatcmpl_015efec85bba4e41aba71209',
      blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'echo hi' } }],
      usage: { inputTokens: 10554, cacheTokens: 0, outputTokens: 36, model: 'scripted' },
    })
    expect(result?.calledBy).toBe(first?.id)
    expect(first?.at).toBe(Date.parse(String(first?.raw['timestamp'])))
  })

  test('what a sub-agent does is left out', () => {
    expect(all.some(({ text }) => text.startsWith('insub'))).toBe(false)
    expect(all.find(({ text }) => text === 'subdone')?.kind).toBe('tool_result')
  })
})

describe('what Rein said instead', () => {
  const all = entries('decisions')

  test('a denial is the result of the call', () => {
    expect(find(all, 'DENY-REASON')).toMatchObject({
      kind: 'tool_result',
      blocks: [{ text: 'Denied by preToolUse hook: DENY-REASON', isError: true }],
    })
  })

  test('what a blocked stop was told is feedback, not a prompt', () => {
    expect(find(all, 'GO-ON').kind).toBe('feedback')
  })

  test('a text that only looks like an earlier reason is a prompt', () => {
    const stop = event('hook.end', { hookType: 'agentStop', output: { decision: 'block', reason: 'Go on.' } })
    const asked = (id: string) => event('user.message', { content: 'Go on.' }, { id })
    expect(readAll([stop, asked('1'), asked('2')]).map(({ kind }) => kind)).toEqual(['feedback', 'prompt'])
  })
})

describe('what is in context', () => {
  test('an interrupted batch keeps the results that it had, and what came with them', () => {
    const all = entries('cancelled-batch')
    const context = find(all, 'CTX-POST')
    expect(context.kind).toBe('hook_context')
    expect(graphOf(all).firstReplyBehind([context.id])).toBe(replyAfter(all, find(all, 'SAY:after-cancel')))
  })

  test('a prompt that failed or was interrupted has no reply until the next one', () => {
    const all = entries('interrupts-and-errors')
    const graph = graphOf(all)
    expect(all.filter(({ isReply }) => isReply).map(({ text }) => text)).not.toContain('400 bad')
    expect(graph.firstReplyBehind([find(all, 'ERROR:400').id])).toBe(replyAfter(all, find(all, 'LIMIT:1')))
  })

  test('a compaction cuts, and what was rewound is gone', () => {
    const all = entries('terminal')
    const present = graphOf(all).present()
    expect(all.filter(({ kind }) => kind === 'compaction')).toHaveLength(1)
    expect(present.has(find(all, 'SAY:steered-one').id)).toBe(false)
    expect(present.has(find(all, 'SAY:after-compact').id)).toBe(true)
  })

  test('a rewind writes the file anew: what it took back is left behind', () => {
    const lines = recorded('terminal')
    const info = lines.findIndex((line) => line.includes('"infoType":"rewind"'))
    const last = JSON.parse(lines[info - 1] ?? '')
    const taken = event('user.message', { content: 'taken back' }, { id: 'x1', parentId: last.id })
    const read = newReader()
    const graph = new ConversationGraph()
    for (const line of [...lines.slice(0, info), taken, ...lines.slice(0, info + 1)])
      for (const entry of read(line)) graph.add(entry)
    expect(graph.present().has('x1')).toBe(false)
    expect(graph.present().size).toBeGreaterThan(5)
  })

  test('a rewind that is only noted does the same', () => {
    const said = (id: string, parentId: string | null) => event('user.message', { content: id }, { id, parentId })
    const rewind = event('session.snapshot_rewind', { upToEventId: 'b', eventsRemoved: 2 }, { id: 'r', parentId: 'c' })
    const present = graphOf(
      readAll([said('a', null), said('b', 'a'), said('c', 'b'), rewind, said('d', 'r')]),
    ).present()
    expect([...present].toSorted()).toEqual(['a', 'd', 'r'])
  })

  test('truncated history is not relied on', () => {
    expect(readAll([event('session.truncation', {}), event('session.context_cleared', {})])).toMatchObject([
      { kind: 'compaction' },
      { kind: 'compaction' },
    ])
    expect(readAll([event('session.compaction_complete', { success: false })])).toEqual([])
  })
})

describe('who wrote it', () => {
  const all = entries('terminal')

  test('a call that the CLI makes in the name of the model is no reply', () => {
    const synthetic = all.filter(({ kind, isReply }) => kind === 'assistant' && !isReply)
    expect(synthetic.flatMap(({ blocks }) => blocks)).toMatchObject([{ name: 'read_bash' }, { name: 'read_bash' }])
  })

  test('news of the CLI are no prompt, and what steers a running turn does not begin one', () => {
    expect(find(all, '<system_notification>').kind).toBe('other')
    expect(all.find(({ text }) => text === 'SAY:steermark')?.kind).toBe('queued_prompt')
    expect(readAll([event('user.message', { content: 'x', source: 'skill-pdf' })])).toMatchObject([{ kind: 'other' }])
  })

  test('context that did not go with the prompt is not there', () => {
    const hook = event('hook.end', { hookType: 'userPromptSubmitted', output: { additionalContext: 'CTX' } })
    const prompt = event('user.message', { content: 'x', transformedContent: 'x' })
    expect(readAll([hook, prompt])).toMatchObject([{ kind: 'prompt' }])
  })
})

test.each(['', 'no json', '[]', '{"id":5}', '{"type":"user.message"}', '{"type":"brand.new","id":"x","data":5}'])(
  'no entry: %j',
  (line) => {
    expect(readAll([line])).toEqual([])
  },
)

test('a line that says little does no harm', () => {
  expect(readAll(['{"type":"tool.execution_complete","id":"x"}'])).toMatchObject([
    { id: 'x', parent: null, text: '', at: 0 },
  ])
})

test('where it is', () => {
  expect(locate('id', '/x', { COPILOT_HOME: '/conf', HOME: '/h' })).toBe('/conf/session-state/id/events.jsonl')
  expect(locate('id', '/x', { HOME: '/h' })).toBe('/h/.copilot/session-state/id/events.jsonl')
  expect(locate('id', '/x', {})).toBe(join(homedir(), '.copilot/session-state/id/events.jsonl'))
})

/** The first reply below an entry, in the order of the file. */
const replyAfter = (all: readonly ConversationEntry[], entry: ConversationEntry): string | undefined =>
  all.slice(all.indexOf(entry)).find(({ isReply }) => isReply)?.id
