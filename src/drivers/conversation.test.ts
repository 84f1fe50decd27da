import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recording } from '../../test/support/builders.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import { parse } from './claude/transcript.ts'
import { ConversationGraph } from './conversation.ts'

/** A recorded conversation, read as far as the first entry that satisfies `until`. */
const read = (name: string, until: (entry: ConversationEntry) => boolean = () => false) => {
  const graph = new ConversationGraph()
  const entries: ConversationEntry[] = []
  for (const line of recording(name)) {
    const entry = parse(line)
    if (entry === null) continue
    graph.add(entry)
    entries.push(entry)
    if (until(entry)) break
  }
  const find = (text: string, kind?: string): ConversationEntry => {
    const found = entries.find((entry) => entry.text.includes(text) && (kind === undefined || entry.kind === kind))
    if (found === undefined) throw new Error(`${name} has no ${text}`)
    return found
  }
  const isPresent = (text: string, kind?: string): boolean => graph.present().has(find(text, kind).id)
  const replyBehind = (...texts: string[]): string | undefined => {
    const id = graph.firstReplyBehind(texts.map((text) => find(text, 'hook_context').id))
    return entries.find((entry) => entry.id === id)?.text
  }
  return { graph, entries, find, isPresent, replyBehind }
}

const resultsOf = (entries: ConversationEntry[]) => entries.filter(({ kind }) => kind === 'tool_result')

describe('what is in the context', () => {
  test.each([
    'run-say',
    'thinking',
    'parallel-tools',
    'hook-context',
    'stop-blocked',
    'stop-context',
    'two-hooks',
    'post-tool-use',
    'streamed-tools',
    'interrupt',
    'queued-prompt',
    'subagent',
    'api-error',
  ])('%s: a conversation without a cut has everything that the model gets to read', (name) => {
    const { graph, entries } = read(name)
    const readable = entries.filter(({ text, kind }) => text !== '' && kind !== 'other')
    expect(readable.length).toBeGreaterThan(2)
    expect(readable.filter(({ id }) => !graph.present().has(id))).toEqual([])
  })

  test('an empty conversation has nothing', () => {
    const graph = new ConversationGraph()
    expect(graph.leaf).toBeNull()
    expect([...graph.present()]).toEqual([])
    expect(graph.repliesAfter(0)).toEqual([])
    expect(graph.firstReplyBehind(['x'])).toBeNull()
  })

  test('parallel tools: at every moment all results that are there, also those that hang beside the chain', () => {
    const { entries } = read('parallel-tools')
    const results = resultsOf(entries)
    expect(results).toHaveLength(3)
    for (const last of results) {
      const { graph, entries: sofar } = read('parallel-tools', ({ id }) => id === last.id)
      expect(resultsOf(sofar).every(({ id }) => graph.present().has(id))).toBe(true)
    }
  })

  test('context of tools that ran in parallel counts, though it hangs on a result beside the chain', () => {
    const { graph, entries } = read('post-tool-use')
    const contexts = entries.filter(({ kind }) => kind === 'hook_context')
    expect(contexts).toHaveLength(3)
    const last = entries.findLast(({ isReply }) => isReply)
    for (const { id } of contexts) expect(graph.firstReplyBehind([id])).toBe(last?.id)
    expect(graph.firstReplyBehind(contexts.map(({ id }) => id))).toBe(last?.id)
  })

  test('a compaction leaves nothing from before it, though parent links reach across it', () => {
    const { isPresent, entries, graph } = read('compaction')
    expect(isPresent('RUN:echo two')).toBe(true)
    expect(graph.present().has(entries[0]?.id ?? '')).toBe(false)
    const before = read('compaction', ({ kind }) => kind === 'compaction')
    expect(before.isPresent('first', 'assistant')).toBe(false)
    expect(before.isPresent('one', 'tool_result')).toBe(false)
  })

  test('what led to an entry is also what a compaction took out of the context', () => {
    const { graph, entries, find } = read('compaction')
    const lineage = graph.lineage([find('second', 'assistant').id])
    expect(lineage.has(entries[0]?.id ?? '')).toBe(true)
    expect(lineage.has(find('first', 'assistant').id)).toBe(true)
    expect(lineage.has(entries.at(-1)?.id ?? '')).toBe(false)
    expect([...graph.lineage(['never-seen'])]).toEqual([])
  })

  test('context that was given after a compaction is there, the same text from before is not', () => {
    const { graph, entries, replyBehind } = read('compaction-with-hooks')
    const starts = entries.filter(({ text }) => text.includes('CTX-a-SessionStart'))
    expect(starts.map(({ id }) => graph.present().has(id))).toEqual([false, true])
    expect(graph.firstReplyBehind([starts[1]?.id ?? ''])).toBe(
      entries.find(({ isReply, at }) => isReply && at > (starts[1]?.at ?? 0))?.id,
    )
    expect(replyBehind('CTX-a-SessionStart')).toBe('')
  })

  test('after a rewind the context that hung on the last kept result is gone with the rest', () => {
    const { isPresent, replyBehind } = read('rewound')
    expect(isPresent('a', 'tool_result')).toBe(true)
    expect(isPresent('SAY:again', 'prompt')).toBe(true)
    expect(isPresent('CTX-a-PostToolBatch')).toBe(false)
    expect(isPresent('end', 'assistant')).toBe(false)
    expect(replyBehind('CTX-a-PostToolBatch')).toBe('end')
  })

  test('a note that is chained late does not hide what was said before it', () => {
    const { entries, isPresent, graph, find } = read('stop-context')
    const note = entries.findIndex(({ raw }) => raw.subtype === 'stop_hook_summary')
    expect(entries[note]?.parent).toBe(find('STOPCTX-a').id)
    expect(entries.slice(0, note).at(-1)?.text).toBe('more')
    expect(isPresent('more', 'assistant')).toBe(true)
    expect(graph.firstReplyBehind([find('STOPCTX-a').id])).toBe(find('more', 'assistant').id)
  })

  test.each([null, 'never-seen'])('a note with the parent %s hangs at the end', (parent) => {
    const { graph, isPresent, find } = read('run-say')
    graph.add({
      ...find('done', 'assistant'),
      id: 'note',
      parent,
      kind: 'other',
      isReply: false,
      message: null,
      link: 'note',
    })
    expect(graph.leaf).toBe('note')
    expect(isPresent('done', 'assistant')).toBe(true)
  })

  test('a line that comes twice is one entry', () => {
    const { graph, entries } = read('compaction')
    const ids = entries.map(({ id }) => id)
    expect(new Set(ids).size).toBeLessThan(ids.length)
    const before = [...graph.present()]
    for (const entry of entries) graph.add(entry)
    expect([...graph.present()]).toEqual(before)
  })
})

describe('progress that 2.1.9 writes late, with the next prompt', () => {
  test.each([
    ['stop-blocked', 'feedback'],
    ['denied', 'tool_result'],
  ])('%s: what was there stays there, at every moment', (name, kind) => {
    const graph = new ConversationGraph()
    const entries: ConversationEntry[] = []
    for (const entry of recording(name, '2.1.9').map(parse)) {
      if (entry === null) continue
      graph.add(entry)
      entries.push(entry)
      const proof = entries.filter((one) => one.kind === kind)
      expect(proof.filter(({ id }) => !graph.present().has(id))).toEqual([])
    }
    const after = entries.findIndex((entry) => entry.kind === kind)
    expect(entries.slice(after).some(({ raw }) => raw.type === 'progress')).toBe(true)
    const proof = entries.filter((one) => one.kind === kind).map(({ id }) => id)
    const next = entries.slice(after).find(({ isReply }) => isReply)
    expect(graph.firstReplyBehind(proof)).toBe(next?.id)
    expect(graph.firstReplyBehind([entries.at(-2)?.id ?? ''])).toBe(entries.at(-1)?.id)
  })
})

describe('which reply had it before it', () => {
  test('the context of a batch is behind the next reply', () => {
    const { graph, entries } = read('hook-context')
    const batches = entries.filter(({ text }) => text.includes('batch context'))
    for (const { id, at } of batches)
      expect(graph.firstReplyBehind([id])).toBe(entries.find((entry) => entry.isReply && entry.at > at)?.id)
  })

  test('a reply that was being written while its first tool ran has not read the result of that tool', () => {
    const { graph, entries, find } = read('streamed-tools')
    const [first, second] = entries.filter(({ isReply }) => isReply)
    const context = entries.find(({ kind }) => kind === 'hook_context')
    expect(second).toMatchObject({ message: first?.message, parent: context?.id })
    const done = find('done', 'assistant').id
    expect(graph.firstReplyBehind([context?.id ?? ''])).toBe(done)
    expect(graph.firstReplyBehind([find('first', 'tool_result').id])).toBe(done)
    expect(graph.repliesAfter(context?.at ?? 0)).toEqual([done])
  })

  test('without the next reply there is none', () => {
    const { graph, entries } = read('streamed-tools', ({ text }) => text === 'second')
    const context = entries.find(({ kind }) => kind === 'hook_context')?.id ?? ''
    expect(graph.present().has(context)).toBe(true)
    expect(graph.firstReplyBehind([context])).toBeNull()
  })

  test('an API error is no reply', () => {
    const { graph, entries, find } = read('api-error')
    expect(find('API Error', 'assistant').isReply).toBe(false)
    expect(graph.firstReplyBehind([resultsOf(entries)[0]?.id ?? ''])).toBeNull()
  })

  test('what the model had begun to say before the connection broke is one', () => {
    const { graph, entries } = read('dropped-reply')
    const prompt = entries.find(({ kind }) => kind === 'prompt')
    const thinking = entries.find(({ blocks }) => blocks[0]?.type === 'thinking')
    expect(graph.firstReplyBehind([prompt?.id ?? ''])).toBe(thinking?.id)
  })

  test('after an interrupt only the reply to the next prompt', () => {
    const { graph, entries, find } = read('interrupt')
    const result = resultsOf(entries)[0]?.id ?? ''
    expect(graph.firstReplyBehind([result])).toBe(find('second', 'assistant').id)
    const cut = read('interrupt', ({ text }) => text.startsWith('[Request interrupted'))
    expect(cut.graph.firstReplyBehind([result])).toBeNull()
  })

  test('entries that nobody knows are behind nothing', () => {
    const { graph } = read('run-say')
    expect(graph.firstReplyBehind(['nobody'])).toBeNull()
  })

  test('replies after a moment, oldest first, only those of the present context', () => {
    const { graph, entries } = read('compaction')
    const replies = graph.repliesAfter(0)
    expect(replies.map((id) => entries.find((entry) => entry.id === id)?.text)).toEqual(['', 'second', '', 'first'])
    expect(graph.repliesAfter(entries.at(-1)?.at ?? 0)).toEqual([])
  })
})

describe('a conversation of any shape', () => {
  const size = 14
  const ref = fc.integer({ min: 0, max: size }).map((n) => `e${n}`)
  const shapes = [
    { link: 'chain', kind: 'prompt' },
    { link: 'chain', kind: 'tool_result' },
    { link: 'chain', kind: 'assistant' },
    { link: 'attachment', kind: 'hook_context' },
    { link: 'note', kind: 'other' },
    { link: 'progress', kind: 'other' },
    { link: 'chain', kind: 'compaction' },
  ] as const
  const anyEntry = fc.record({
    id: fc.option(ref),
    // Most entries hang on the one before.
    parent: fc.oneof({ weight: 3, arbitrary: fc.constant('before') }, fc.option(ref)),
    shape: fc.constantFrom(...shapes, ...shapes.slice(0, -1), ...shapes.slice(0, -1)),
    at: fc.integer({ min: 1, max: 9 }),
    message: fc.option(fc.constantFrom('m1', 'm2', 'm3')),
    calledBy: fc.option(ref),
    isReply: fc.boolean(),
  })
  const anyEntries: fc.Arbitrary<ConversationEntry[]> = fc.array(anyEntry, { maxLength: size }).map((given) =>
    given.map(({ id, parent, shape: { link, kind }, at, message, calledBy, isReply }, n) => {
      const isAssistant = kind === 'assistant'
      return {
        id: id ?? `e${n}`,
        parent: parent === 'before' ? (n === 0 ? null : (given[n - 1]?.id ?? `e${n - 1}`)) : parent,
        link,
        kind,
        at,
        message: isAssistant ? message : null,
        calledBy: kind === 'tool_result' ? calledBy : null,
        isReply: isAssistant && isReply,
        text: '',
        blocks: [],
        usage: null,
        raw: {},
      }
    }),
  )
  const graphOf = (entries: readonly ConversationEntry[]): ConversationGraph => {
    const graph = new ConversationGraph()
    for (const entry of entries) graph.add(entry)
    return graph
  }

  test('what is present is the same, asked at every step or only at the end', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const graph = new ConversationGraph()
        for (const [n, entry] of entries.entries()) {
          graph.add(entry)
          expect(new Set(graph.present())).toEqual(graphOf(entries.slice(0, n + 1)).present())
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the first reply behind an entry is the first that had it present when it was written', () => {
    fc.assert(
      fc.property(anyEntries, ref, ref, (given, one, other) => {
        const entries = given.filter(({ id }, n) => given.findIndex((entry) => entry.id === id) === n)
        const had = entries.find(({ id, isReply, message }, n) => {
          const isOtherLine = message !== null && entries.slice(0, n).some((entry) => entry.message === message)
          const present = graphOf(entries.slice(0, n + 1)).present()
          return isReply && !isOtherLine && [one, other].every((wanted) => wanted !== id && present.has(wanted))
        })
        expect(graphOf(entries).firstReplyBehind([one, other])).toBe(had?.id ?? null)
      }),
      { numRuns: 500 },
    )
  })

  test('replies after a moment are those of all that came after it', () => {
    fc.assert(
      fc.property(anyEntries, fc.integer({ min: 0, max: 9 }), (entries, since) => {
        const graph = graphOf(entries)
        const isLater = (id: string): boolean =>
          (entries.find((entry) => entry.id === id && entry.link !== 'progress')?.at ?? 0) > since
        expect(graph.repliesAfter(since)).toEqual(graph.repliesAfter(0).filter(isLater))
      }),
      { numRuns: 500 },
    )
  })
})
