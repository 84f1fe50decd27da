import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../cells.ts'
import { createStyle } from '../../output.ts'
import { type Line, paint, type Span } from '../terminal/line.ts'
import type { Block } from './blocks.ts'
import { highlight } from './highlight.ts'
import { inline } from './inline.ts'
import { finish, nothingWritten, unfinished, write } from './markdown.ts'
import { blockLines, documentLines } from './render.ts'
import { callSummary } from './tool-text.ts'

const plain = createStyle(false)
const shown = (lines: Line[], columns = 60): string[] => lines.map((line) => paint(line, columns, plain).trimEnd())
const document = (text: string, columns = 60): string[] =>
  shown(documentLines(text, { columns, isUnfolded: false }), columns)
const toned = (spans: Span[]): string =>
  spans.map(({ text, tone }) => (tone === undefined ? text : `<${tone}>${text}</>`)).join('')

describe('Markdown', () => {
  test('is shown as it is meant', () => {
    const text = [
      '## A **title**',
      '- one that is too long for a row of this width, and so goes on in the next',
      '  3) nested',
      '- [x] done',
      '> said',
      '---',
      'a [name](https://x.y) here',
    ]
    expect(document(text.join('\n'), 40)).toEqual([
      '## A title',
      '• one that is too long for a row of this',
      '  width, and so goes on in the next',
      '  3) nested',
      '• ☑ done',
      '│ said',
      '─'.repeat(40),
      'a name (https://x.y) here',
    ])
  })

  test.each([
    ['**a** *b* _c_ ~~d~~ `e*f*`', '<bold>a</> <italic>b</> <italic>c</> <dim>d</> <cyan>e*f*</>'],
    ['snake_case_name, 2 * 3 * 4, **', 'snake_case_name, 2 * 3 * 4, **'],
    ['``a ` b``', '<cyan>a ` b</>'],
    ['![](https://x.y/z.png)', '<dim>https://x.y/z.png</>'],
  ])('%s has its emphasis', (text, result) => {
    expect(toned(inline(text))).toBe(result)
  })

  test('marks that belong to nothing stay, however many there are', () => {
    for (const mark of ['`', '*', '_', '[', '`a ', '**a ', '[a]( '])
      expect(
        inline(mark.repeat(2_001))
          .map(({ text }) => text)
          .join('')
          .replaceAll(/[`*]/g, ''),
      ).toBe(mark.repeat(2_001).replaceAll(/[`*]/g, ''))
  })

  test('a table has columns, wraps its cells, and becomes a list where nothing else is readable', () => {
    const table = '| name | what it is |\n|:--|--:|\n| `host` | where an agent 漢字 runs |\n| a\\|b |'
    expect(document(table)).toEqual([
      'name  what it is',
      '────  ────────────────────────',
      'host  where an agent 漢字 runs',
      'a|b',
    ])
    expect(document(table, 20)).toEqual([
      'name  what it is',
      '────  ──────────────',
      'host  where an agent',
      '      漢字 runs',
      'a|b',
    ])
    expect(document('| one long name | another one |\n|-|-|\n| a | b |', 14)).toEqual([
      'one long name:',
      '  a',
      'another one: b',
      '────────',
    ])
  })

  test('comes in pieces of any size and is the same', () => {
    const text = '# a\n\n```py\nx = """y\nz""" # w\n```\n| a | b |\n| c | d |\nend'
    const whole = write(nothingWritten, text)
    let [done, writing] = [[] as Block[], nothingWritten]
    for (const piece of text) {
      const written = write(writing, piece)
      done = [...done, ...written.done]
      writing = written.writing
      expect(unfinished(writing).length).toBeLessThanOrEqual(2)
    }
    expect([...done, ...finish(writing)]).toEqual([...whole.done, ...finish(whole.writing)])
    expect(done.map(({ kind }) => kind)).toEqual(['line', 'line', 'code', 'code'])
  })

  test('a line without an end is broken, and nothing of it is lost', () => {
    const text = `${'word '.repeat(1_000)}${'x'.repeat(5_000)}`
    const { done, writing } = write(nothingWritten, text)
    const blocks = [...done, ...finish(writing)]
    expect(blocks.map((block) => (block.kind === 'line' ? block.text : '')).join('')).toBe(text)
    expect(writing.partial.length).toBeLessThanOrEqual(2_000)
  })
})

describe('code', () => {
  test.each([
    [
      'ts',
      'const a: Foo = f("x\\"y", 1.5) // c',
      '<magenta>const</> a: <cyan>Foo</> = f(<green>"x\\"y"</>, <yellow>1.5</>) <dim>// c</>',
    ],
    ['python', "def f(): return 'a' # b", "<magenta>def</> f(): <magenta>return</> <green>'a'</> <dim># b</>"],
    ['sql', 'SELECT a FROM t -- b', '<magenta>SELECT</> a <magenta>FROM</> t <dim>-- b</>'],
    ['json', '{"a": "b", "c": true}', '{<cyan>"a"</>: <green>"b"</>, <cyan>"c"</>: <magenta>true</>}'],
    ['diff', '+added', '<green>+added</>'],
    ['nothing-known', 'const a', 'const a'],
  ])('of %s has colours', (language, line, result) => {
    expect(toned(highlight(line, language, '').spans)).toBe(result)
  })

  test('knows in a line what began in another', () => {
    const first = highlight('a /* b', 'ts', '')
    expect([toned(first.spans), first.inside]).toEqual(['a <dim>/*</><dim> b</>', '*/'])
    expect(toned(highlight('c */ if', 'ts', first.inside).spans)).toBe('<dim>c */</> <magenta>if</>')
    expect(highlight('x', 'ts', '*/').inside).toBe('*/')
  })
})

const tool = (
  name: string,
  input: Record<string, unknown>,
  more: Partial<Extract<Block, { kind: 'tool' }>> = {},
): Block => ({
  kind: 'tool',
  call: { id: '1', name, input, isSubagent: false },
  result: null,
  lines: [],
  ...more,
})

describe('tools', () => {
  const folded = { columns: 60, isUnfolded: false }
  const unfolded = { columns: 60, isUnfolded: true }

  test.each([
    [{ command: 'npm test', description: 'Tests' }, 'npm test'],
    [{ file_path: '/a.ts', offset: 40 }, '/a.ts:40'],
    [{ pattern: 'x+', path: 'src' }, 'x+ in src'],
    [{ file_path: '/a.ts', content: 'a\nb\n' }, '/a.ts +2 -0'],
    [{ file_path: '/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, '/a.ts +1 -1'],
    [{ todos: [1, 2] }, '2 items'],
    [{}, ''],
  ])('%j is one line', (input, summary) => {
    expect(callSummary({ input })).toBe(summary)
  })

  test('are one line while they run and after; what went wrong is told, the rest is folded', () => {
    const bash = { command: 'npm test' }
    expect(shown(blockLines(tool('Bash', bash), folded))).toEqual(['○ Bash npm test'])
    const result = { text: 'one\ntwo\n', isError: false }
    expect(shown(blockLines(tool('Bash', bash, { result }), folded))).toEqual(['● Bash npm test · 2 lines'])
    expect(shown(blockLines(tool('Bash', bash, { result }), unfolded))).toEqual([
      '● Bash npm test · 2 lines',
      '    command: npm test',
      '    one',
      '    two',
    ])
    expect(shown(blockLines(tool('Bash', bash, { result: { ...result, isError: true } }), folded))).toEqual([
      '✗ Bash npm test · 2 lines',
      '    one two',
    ])
  })

  test('an edit shows what changes, with the numbers of its lines where they are known', () => {
    const edit = { file_path: '/a.ts', old_string: 'a\nb\nc\nd', new_string: 'a\nB\nc\nd\ne' }
    expect(shown(blockLines(tool('Edit', edit, { lines: [8] }), folded))).toEqual([
      '○ Edit /a.ts +2 -1',
      '     8   a',
      '     9 - b',
      '     9 + B',
      '    10   c',
      '    11   d',
      '    12 + e',
    ])
    expect(shown(blockLines(tool('Edit', edit), folded))[2]).toBe('    - b')
    const content = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
    const written = tool('Write', { file_path: '/a.ts', content })
    expect(shown(blockLines(written, folded)).at(-1)).toBe('    … 28 more rows: Ctrl-O')
    expect(blockLines(written, unfolded)).toHaveLength(41)
  })

  test('a patch is shown as one', () => {
    const patch = '*** Begin Patch\n*** Update File: a\n-b\n+c\n*** End Patch'
    const lines = blockLines(tool('apply_patch', { patch }), folded)
    expect(lines.at(-2)).toEqual([{ text: '    ' }, { text: '+c', tone: 'green' }])
  })
})

test('whatever is in a text, it steers nothing and is no wider than the screen', () => {
  const hostile = '\u001b[2J\u0007\u202eabc\u2066 \r\u009b31m 漢字🚀 \u200b'.repeat(4)
  const blocks: Block[] = [
    { kind: 'prompt', text: hostile },
    { kind: 'line', text: hostile },
    { kind: 'code', text: hostile, language: 'ts', inside: '' },
    { kind: 'table', rows: [`| ${hostile} | ${hostile} |`] },
    { kind: 'thinking', text: hostile, isFirst: true },
    { kind: 'note', text: hostile, isError: false },
    { kind: 'other', text: hostile },
    tool(hostile, { [hostile]: hostile, command: hostile }, { result: { text: hostile, isError: true } }),
    tool('Edit', { path: hostile, old_str: hostile, new_str: 'b' }),
  ]
  for (const columns of [7, 40]) {
    for (const line of blocks.flatMap((block) => blockLines(block, { columns, isUnfolded: true }))) {
      const text = paint(line, columns, plain)
      expect(cellWidth(text)).toBeLessThanOrEqual(columns)
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e\u2066]/)
    }
  }
})
