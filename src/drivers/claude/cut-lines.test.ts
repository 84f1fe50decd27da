import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recording } from '../../../test/support/builders.ts'
import { ClaudeWriter, type Move, type Step } from '../../../test/support/claude-writer.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ReinError } from '../../contract/errors.ts'
import { cutLines, cutSubagent } from './cut-lines.ts'
import { parse } from './transcript.ts'

const entriesIn = (lines: readonly string[]): ConversationEntry[] => lines.map(parse).filter((entry) => entry !== null)

/** What the conversation consists of: notes and progress never go to the model. */
const chatIn = (lines: readonly string[]): string[] =>
  entriesIn(lines)
    .filter(({ link }) => link !== 'note' && link !== 'progress')
    .map(({ id }) => id)

const rawsIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

const refusalOf = (cut: () => unknown): string => {
  try {
    cut()
    return 'none'
  } catch (cause) {
    return cause instanceof ReinError ? cause.code : String(cause)
  }
}

const step = fc.record<Step>({
  calls: fc.integer({ min: 0, max: 4 }),
  order: fc.nat(3),
  hasContext: fc.boolean(),
  isStreamed: fc.boolean(),
})

const move = fc.record<Move>({
  steps: fc.array(step, { maxLength: 3 }),
  before: fc.oneof(
    { weight: 4, arbitrary: fc.constant('nothing' as const) },
    { weight: 1, arbitrary: fc.constantFrom('compact' as const, 'compact and keep' as const) },
    { weight: 2, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 3 }) }) },
  ),
  hasNote: fc.boolean(),
  hasProgress: fc.boolean(),
  isRepeated: fc.boolean(),
})

const written = fc.array(move, { minLength: 1, maxLength: 6 }).map((moves) => {
  const writer = new ClaudeWriter()
  for (const one of moves) writer.play(one)
  return writer
})

describe('any transcript, cut after any turn', () => {
  test('has all of the conversation up to there, in its order, and nothing else', () => {
    fc.assert(
      fc.property(written, ({ lines, turns }) => {
        for (const { leaf, live } of turns) expect(chatIn(cutLines(lines, leaf, 'new').lines)).toEqual(live)
      }),
    )
  })

  test('is one chain that ends with its newest entry, under the new id', () => {
    fc.assert(
      fc.property(written, ({ lines, turns }) => {
        for (const { leaf } of turns) {
          const entries = entriesIn(cutLines(lines, leaf, 'new').lines)
          const chained = entries.map(({ id }, index) => (entries[index + 1]?.kind === 'compaction' ? null : id))
          expect(entries.map(({ parent }) => parent)).toEqual([null, ...chained.slice(0, -1)])
          expect(entries.at(-1)?.id).toBe(leaf)
          expect(entries.slice(0, -1).every(({ at }) => at < (entries.at(-1)?.at ?? 0))).toBe(true)
          expect(new Set(entries.map(({ raw }) => raw.sessionId))).toEqual(new Set(['new']))
        }
      }),
    )
  })

  test('has no call without its result, and no result without its call', () => {
    fc.assert(
      fc.property(written, ({ lines, turns }) => {
        for (const { leaf } of turns) {
          const blocks = entriesIn(cutLines(lines, leaf, 'new').lines).flatMap((entry) => entry.blocks)
          const ids = (type: string) =>
            blocks.flatMap((block) => (block.type === type && 'id' in block ? [block.id] : []))
          expect(ids('tool_use').toSorted()).toEqual(ids('tool_result').toSorted())
        }
      }),
    )
  })

  test('cut again at the same place it is the same, and at an earlier one as if it came from the source', () => {
    fc.assert(
      fc.property(written, ({ lines, turns }) => {
        const { leaf = '', live = [] } = turns.at(-1) ?? {}
        const cut = cutLines(lines, leaf, 'new').lines
        expect(cutLines(cut, leaf, 'new').lines).toEqual(cut)
        for (const turn of turns.filter((one) => live.includes(one.prompt)))
          expect(chatIn(cutLines(cut, turn.leaf, 'newer').lines)).toEqual(turn.live)
      }),
    )
  })

  test('with a line that broke off, or is nothing but zeros, has all that the model had, or is refused', () => {
    const broken = fc.record({ writer: written, line: fc.nat(), length: fc.nat(200), isZeros: fc.boolean() })
    fc.assert(
      fc.property(broken, ({ writer: { lines, turns }, line, length, isZeros }) => {
        const index = line % lines.length
        const text = lines[index] ?? ''
        const part = isZeros ? '\0'.repeat(length + 1) : text.slice(0, Math.min(length + 1, text.length - 1))
        const damaged = lines.with(index, part)
        for (const { leaf, live, context } of turns) {
          const refusal = refusalOf(() => {
            const chat = chatIn(cutLines(damaged, leaf, 'new').lines)
            expect(chat).toEqual(live.filter((id) => chat.includes(id)))
            expect(chat).toEqual(expect.arrayContaining(context))
          })
          expect(['none', 'transcript_damaged', 'not_found']).toContain(refusal)
        }
      }),
    )
  })
})

describe('recorded conversations', () => {
  const names = ['run-say', 'thinking', 'parallel-tools', 'hook-context', 'stop-blocked', 'stop-context', 'two-hooks']
  const others = [
    'post-tool-use',
    'streamed-tools',
    'interrupt',
    'queued-prompt',
    'subagent',
    'api-error',
    'compaction',
  ]

  test.each([...names, ...others])('%s: cut at its end it has everything', (name) => {
    const lines = recording(name)
    const last = entriesIn(lines).at(-1)?.id ?? ''
    const { lines: cut, damaged } = cutLines(lines, last, 'new')
    expect(new Set(chatIn(cut))).toEqual(new Set(chatIn(lines)))
    expect(chatIn(cut)).toHaveLength(new Set(chatIn(lines)).size)
    expect(damaged).toEqual([])
  })

  test('what was left behind by going back is not there', () => {
    const lines = recording('rewound')
    const kept = entriesIn(cutLines(lines, entriesIn(lines).at(-1)?.id ?? '', 'new').lines)
    const said = kept.filter(({ kind }) => kind === 'assistant' || kind === 'hook_context').map(({ text }) => text)
    expect(said).toEqual(['', 'again'])
  })

  test('before a compaction there is none, after it all from before is still in the file', () => {
    const lines = recording('compaction')
    const [first, second] = ['first', 'second'].map((text) => entriesIn(lines).find((entry) => entry.text === text))
    const before = entriesIn(cutLines(lines, first?.id ?? '', 'new').lines)
    expect(before.map(({ kind }) => kind)).not.toContain('compaction')
    expect(before.at(-1)?.text).toBe('first')
    const after = entriesIn(cutLines(lines, second?.id ?? '', 'new').lines)
    expect(after.filter(({ kind }) => kind === 'compaction')).toHaveLength(1)
    expect(after.filter(({ raw }) => raw.isCompactSummary === true)).toHaveLength(1)
    expect(after.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['RUN:echo one ;; SAY:first', 'first', 'second']),
    )
  })

  test.each(['denied', 'stop-blocked', 'subagent'])(
    '2.1.9, %s: progress is left out, and what hung on it hangs on',
    (name) => {
      const lines = recording(name, '2.1.9')
      const { lines: cut } = cutLines(lines, entriesIn(lines).at(-1)?.id ?? '', 'new')
      expect(rawsIn(cut).map(({ type }) => type)).not.toContain('progress')
      expect(new Set(chatIn(cut))).toEqual(new Set(chatIn(lines)))
    },
  )
})

describe('lines that are no entries', () => {
  const notes = (conversation: Transcript, leaf: string) =>
    rawsIn(cutLines(conversation.lines, leaf, 'new').lines).filter(({ uuid }) => uuid === undefined)

  test('those that name an entry stay with it, wherever they stand', () => {
    const conversation = new Transcript()
    const abandoned = conversation.prompt('one')
    conversation.line({ type: 'file-history-snapshot', messageId: abandoned, snapshot: {} })
    const lines = [...conversation.lines]
    const other = new Transcript()
    const [prompt, reply] = [other.prompt('two'), other.reply('done')]
    expect(prompt).toBe(abandoned)
    other.line({ type: 'file-history-snapshot', messageId: reply, snapshot: { trackedFileBackups: backups } })
    const { lines: cut, backups: found } = cutLines([...lines.slice(1), ...other.lines], reply, 'new')
    expect(rawsIn(cut).map(({ type }) => type)).toEqual([
      'user',
      'file-history-snapshot',
      'assistant',
      'file-history-snapshot',
    ])
    expect(found).toEqual(['0123@v1'])
  })

  const backups = {
    a: { backupFileName: '0123@v1' },
    b: { backupFileName: null },
    c: { backupFileName: '../../secret' },
  }

  test('the others stay with the entry that they follow, but for the last one', () => {
    const conversation = new Transcript()
    conversation.line({ type: 'mode', mode: 'normal' })
    conversation.prompt('one')
    conversation.line({ type: 'content-replacement', replacements: [] })
    const leaf = conversation.reply('done')
    conversation.line({ type: 'content-replacement', replacements: ['later'] })
    expect(notes(conversation, leaf).map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ['mode', 'new'],
      ['content-replacement', 'new'],
    ])
  })

  test('what tells where the CLI was, or what it is to be told, is not taken along; nor the name of the plan', () => {
    const conversation = new Transcript()
    for (const type of ['queue-operation', 'last-prompt', 'bridge-session', 'relocated']) conversation.line({ type })
    conversation.prompt('one', { slug: 'shared-plan' })
    const leaf = conversation.reply('done')
    const { lines } = cutLines(conversation.lines, leaf, 'new')
    expect(rawsIn(lines).map(({ type, slug }) => [type, slug])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
    ])
  })
})

describe('what is beside the transcript', () => {
  test('sub-agents of what is kept, by names that lead nowhere else', () => {
    const lines = recording('subagent')
    const result = entriesIn(lines).find(({ kind }) => kind === 'tool_result')
    expect(cutLines(lines, result?.id ?? '', 'new').subagents).toEqual(['a7fb0a51ef7cc706a'])
    const call = entriesIn(lines).find(({ blocks }) => blocks.some(({ type }) => type === 'tool_use'))
    expect(cutLines(lines, call?.id ?? '', 'new').subagents).toEqual([])
    const hostile = lines.map((line) => line.replaceAll('"agentId":"a7fb0a51ef7cc706a"', '"agentId":"../../../etc"'))
    expect(cutLines(hostile, result?.id ?? '', 'new').subagents).toEqual([])
  })

  test('a sub-agent has what it had written by then', () => {
    const lines = [...recording('subagent-own'), 'not json']
    const times = rawsIn(lines.slice(0, -1)).map(({ timestamp }) => Date.parse(String(timestamp)))
    expect(cutSubagent(lines, times[2] ?? 0, 'new')).toHaveLength(3)
    const all = cutSubagent(lines, Number.POSITIVE_INFINITY, 'new')
    expect(rawsIn(all).map(({ sessionId }) => sessionId)).toEqual(times.map(() => 'new'))
  })
})

describe('refusals', () => {
  const conversation = (): Transcript => {
    const made = new Transcript()
    made.prompt('one')
    made.call('ls')
    made.result('ok')
    return made
  }

  test('an entry that is not there', () => {
    expect(refusalOf(() => cutLines(conversation().lines, 'nowhere', 'new'))).toBe('not_found')
    expect(refusalOf(() => cutLines([], 'nowhere', 'new'))).toBe('not_found')
  })

  test('a chain that leads to an entry which is not in the file', () => {
    const made = conversation()
    const leaf = made.reply('done')
    expect(refusalOf(() => cutLines(made.lines.slice(1), leaf, 'new'))).toBe('transcript_damaged')
  })

  test('a line that broke off elsewhere is told, and no more', () => {
    const made = conversation()
    const leaf = made.reply('done')
    made.prompt('two')
    const lines = [...made.lines.slice(0, -1), '{"type":"queue-operation","oper', made.lines.at(-1)?.slice(0, 80) ?? '']
    expect(cutLines(lines, leaf, 'new').damaged).toEqual([5, 6])
  })
})
