import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ConversationGraph } from '../conversation.ts'
import { format, locate } from './transcript.ts'

type Row = Record<string, unknown>

const rows = (name: string): Row[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/opencode/1.18.33', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

const read = (given: Row[]): ConversationEntry[] =>
  format.kind === 'rows' ? given.flatMap(format.reader()) : expect.unreachable()
const entries = (name: string): ConversationEntry[] => read(rows(name))
const told = (found: ConversationEntry[]): [string, string][] =>
  found.filter(({ kind }) => kind !== 'other').map(({ kind, text }) => [kind, text])
const graphOf = (found: ConversationEntry[]): ConversationGraph => {
  const graph = new ConversationGraph()
  for (const entry of found) graph.add(entry)
  return graph
}
const idOf = (found: ConversationEntry[], text: string): string =>
  found.find((entry) => entry.text === text)?.id ?? expect.unreachable(text)

describe('what each entry of a real conversation is', () => {
  test('context of a prompt and of a tool are entries of their own', () => {
    expect(told(entries('context'))).toEqual([
      ['prompt', expect.stringMatching(/^RUN:echo hi/)],
      ['hook_context', 'PROMPT-CTX line1\nline2'],
      ['assistant', ''],
      ['tool_result', 'hi\n[]\n'],
      ['hook_context', 'TOOL-CTX'],
      ['assistant', 'done'],
    ])
  })

  test('what kept it from stopping', () => {
    expect(told(entries('woken-and-kept-going'))).toEqual([
      ['prompt', expect.stringMatching(/^Rein: /)],
      ['hook_context', 'WAKE-CTX'],
      ['assistant', 'ok'],
      ['feedback', 'GO-ON-TEXT please'],
      ['assistant', 'ok'],
    ])
  })

  test('calls that were denied, rewritten or made side by side', () => {
    const found = entries('denied-rewritten-parallel')
    const blocks = found.flatMap((entry) => entry.blocks).filter(({ type }) => type === 'tool_result')
    expect(blocks).toMatchObject([
      { text: 'DENIED-BY-REIN use tabs', isError: true },
      { text: 'REWRITTEN\n', isError: false },
      { text: 'one\n', isError: false },
      { text: '(no output)', isError: false },
    ])
    const parallel = told(found).map(([kind]) => kind)
    expect(parallel.slice(-6)).toEqual(['prompt', 'assistant', 'assistant', 'tool_result', 'tool_result', 'assistant'])
  })

  test('an error of the model is no reply; what was interrupted is one', () => {
    const found = entries('failed-and-interrupted').filter(({ kind }) => kind === 'assistant')
    expect(found.map(({ text, isReply }) => [text, isReply])).toEqual([
      [expect.stringContaining('scripted error'), false],
      ['tick0 tick1 tick2 tick3 tick4 tick5 tick6 ', true],
    ])
  })

  test('tokens and model are told with the end of a step', () => {
    const usages = entries('context').flatMap(({ usage }) => usage ?? [])
    const usage = { inputTokens: 10, outputTokens: 5, model: 'scripted' }
    expect(usages).toEqual([usage, usage])
  })
})

describe('what the model had before it', () => {
  test('a prompt that came in the middle of a reply is not behind that reply', () => {
    const found = entries('queued')
    expect(told(found).map(([, text]) => text)).toEqual([
      'SLOW:4:slow done',
      expect.stringMatching(/slow done$/),
      'SAY:queued one',
      'queued one',
    ])
    expect(graphOf(found).firstReplyBehind([idOf(found, 'SAY:queued one')])).toBe(idOf(found, 'queued one'))
    const reply = found.find(({ text }) => text.endsWith('slow done') && text.startsWith('tick'))
    const prompt = found.find(({ text }) => text === 'SAY:queued one')
    expect(reply?.at).toBeLessThan(prompt?.at ?? 0)
  })

  test('a prompt during a tool goes along with its result', () => {
    const found = entries('steered-and-killed')
    const steer = idOf(found, 'note: be quick')
    expect(graphOf(found).firstReplyBehind([steer])).toBe(idOf(found, 'steered end'))
  })

  test('a reply that was cut off by the end of its process does not hold up what follows', () => {
    expect(told(entries('steered-and-killed')).slice(-3)).toEqual([
      ['prompt', 'SLOW:20:never ends'],
      ['prompt', 'SAY:after kill'],
      ['assistant', 'after kill'],
    ])
  })

  test('a prompt that is still being written when the request is made waits for the next one', () => {
    const given = rows('steered-and-killed')
    const isSteer = ({ data }: Row): boolean =>
      String(data).includes('note: be quick') || String(data).includes('STEER')
    const late = given.filter((row) => isSteer(row) && Number(row['position']) > 27)
    const over = given.findIndex(({ data }) => String(data).includes('"completed":1794794335601'))
    const others = given.filter((row) => !late.includes(row))
    const at = others.indexOf(given[over] ?? {}) + 1
    const found = read([...others.slice(0, at), ...late, ...others.slice(at)])
    const graph = graphOf(found)
    expect(graph.firstReplyBehind([idOf(found, 'note: be quick')])).not.toBe(idOf(found, 'steered end'))
  })

  test('what was undone is gone with the next prompt, and a compaction leaves nothing behind it', () => {
    const found = entries('undone-and-compacted')
    const before = found.slice(
      0,
      found.findIndex(({ kind }) => kind === 'compaction'),
    )
    const present = graphOf(before).present()
    expect(present).toContain(idOf(found, 'after undo'))
    expect(present).not.toContain(idOf(found, 'CTX-BEFORE-UNDO'))
    expect(present).not.toContain(idOf(found, 'to be undone'))
    const after = graphOf(found).present()
    expect(after).toContain(idOf(found, 'after compact'))
    expect(after).not.toContain(idOf(found, 'after undo'))
    expect(found.filter(({ kind }) => kind === 'compaction')).toMatchObject([{ isReply: false }])
  })
})

test('read twice, everything has the same id and the same place', () => {
  for (const name of ['context', 'queued', 'steered-and-killed', 'undone-and-compacted'])
    expect(entries(name)).toEqual(entries(name))
})

test('rows that nobody understands are passed over', () => {
  expect(read([{ type: 'message.updated.1', data: '{' }, { type: 'x', data: '{}' }, {}])).toEqual([])
})

test('the database is where the environment says', () => {
  expect(locate('', '', { HOME: '/home/dev' })).toBe('/home/dev/.local/share/opencode/opencode.db')
  expect(locate('', '', { HOME: '/home/dev', XDG_DATA_HOME: '/data' })).toBe('/data/opencode/opencode.db')
  expect(locate('', '', { XDG_DATA_HOME: '/data', OPENCODE_DB: 'mine.db' })).toBe('/data/opencode/mine.db')
  expect(locate('', '', { XDG_DATA_HOME: '/data', OPENCODE_DB: '/tmp/x.db' })).toBe('/tmp/x.db')
})
