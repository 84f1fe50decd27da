import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMarkdown, parseSpans, plainLine, type Span } from './markdown.ts'

const text = (value: string): Span => ({ kind: 'text', text: value })

describe('blocks', () => {
  test('headings, paragraphs, rules', () => {
    expect(parseMarkdown('# One\ntext\nmore\n\n---\n## Two ##')).toEqual([
      { kind: 'heading', level: 1, spans: [text('One')] },
      { kind: 'paragraph', spans: [text('text\nmore')] },
      { kind: 'rule' },
      { kind: 'heading', level: 2, spans: [text('Two')] },
    ])
  })

  test('code keeps every character, also where its end is missing', () => {
    expect(parseMarkdown('```ts\nconst a = `**b**`\n\n```\nafter')).toEqual([
      { kind: 'code', language: 'ts', text: 'const a = `**b**`\n' },
      { kind: 'paragraph', spans: [text('after')] },
    ])
    expect(parseMarkdown('```\nunfinished')).toEqual([{ kind: 'code', language: '', text: 'unfinished' }])
  })

  test('lists, with a list inside and text that goes on', () => {
    expect(parseMarkdown('3. one\n   more\n   - a\n   - b\n4. two')).toEqual([
      {
        kind: 'list',
        isOrdered: true,
        start: 3,
        items: [
          [
            { kind: 'paragraph', spans: [text('one\n more')] },
            {
              kind: 'list',
              isOrdered: false,
              start: 1,
              items: [[{ kind: 'paragraph', spans: [text('a')] }], [{ kind: 'paragraph', spans: [text('b')] }]],
            },
          ],
          [{ kind: 'paragraph', spans: [text('two')] }],
        ],
      },
    ])
  })

  test('blank lines between items are one list', () => {
    expect(parseMarkdown('- a\n\n- b')).toMatchObject([{ kind: 'list', items: [[{}], [{}]] }])
  })

  test('quotes and tables', () => {
    expect(parseMarkdown('> a\n> b')).toEqual([
      { kind: 'quote', blocks: [{ kind: 'paragraph', spans: [text('a\nb')] }] },
    ])
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| 1 | `2` |')).toEqual([
      { kind: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], [{ kind: 'code', text: '2' }]]] },
    ])
  })

  test('a heading keeps a mark that belongs to its last word', () => {
    expect(parseMarkdown('# C#\n## ##')).toEqual([
      { kind: 'heading', level: 1, spans: [text('C#')] },
      { kind: 'heading', level: 2, spans: [] },
    ])
  })

  test('a fence has no backtick behind it, a divider only dashes and colons', () => {
    expect(parseMarkdown('``` a`b')).toMatchObject([{ kind: 'paragraph' }])
    expect(parseMarkdown('~~~ c++ more\nx')).toEqual([{ kind: 'code', language: 'c++', text: 'x' }])
    expect(parseMarkdown('| a |\n| - b |')).toMatchObject([{ kind: 'paragraph' }])
  })

  test('what is too deep stays text', () => {
    const depth = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
    expect(depth(parseMarkdown('>'.repeat(500)))).toBeLessThan(40)
  })
})

/** Long enough that whatever takes more than a number of steps for each character never ends. */
const long = 500_000

describe('a line that is hard to read is read in one go', () => {
  test.each([
    ['a heading with blanks inside', (many: number) => `# a${' '.repeat(many)}b`],
    ['a heading with marks inside', (many: number) => `# a${' #'.repeat(many)}b`],
    ['a fence of tildes that is none', (many: number) => `${'~'.repeat(many)}a\``],
    ['a fence with blanks that is none', (many: number) => `~~~${' '.repeat(many)}\``],
    ['a fence with a long word that is none', (many: number) => `~~~${'a'.repeat(many)}\``],
    ['a divider with blanks inside', (many: number) => `|a|\n|-${' '.repeat(many)}x`],
    ['a divider of many columns that is none', (many: number) => `|a|\n${'|-'.repeat(many)}|x`],
    ['an item with blanks and another line end', (many: number) => `-${' '.repeat(many)}\u2028`],
    ['a quote with another line end', (many: number) => `>${' '.repeat(many)}\u2028`],
    ['a rule that is none', (many: number) => `${'- '.repeat(many)}x`],
    ['many fences', (many: number) => '```\n```\n'.repeat(many / 5)],
    ['a run of backticks', (many: number) => '`'.repeat(many)],
    ['runs of backticks without an end', (many: number) => `${'`'.repeat(many)}a`.repeat(2)],
    ['an address that ends in stops', (many: number) => `https://a${'.'.repeat(many)}`],
  ])('%s', (_name, write) => {
    expect(parseMarkdown(write(long)).length).toBeGreaterThan(0)
  })
})

describe('spans', () => {
  test('code that is opened by more marks than any that close it is text', () => {
    expect(parseSpans('``a` b')).toEqual([text('``a` b')])
    expect(parseSpans('`` a`b ``')).toEqual([{ kind: 'code', text: 'a`b' }])
  })

  test('code, strong, emphasis', () => {
    expect(parseSpans('a `b` **c** *d* _e_ snake_case_name 2*3*4')).toEqual([
      text('a '),
      { kind: 'code', text: 'b' },
      text(' '),
      { kind: 'strong', spans: [text('c')] },
      text(' '),
      { kind: 'em', spans: [text('d')] },
      text(' '),
      { kind: 'em', spans: [text('e')] },
      text(' snake_case_name 2*3*4'),
    ])
  })

  test('links to the web alone', () => {
    expect(parseSpans('[a](https://b.example/c)')).toEqual([
      { kind: 'link', href: 'https://b.example/c', spans: [text('a')] },
    ])
    expect(parseSpans('see https://b.example/c.')).toEqual([
      text('see '),
      { kind: 'link', href: 'https://b.example/c', spans: [text('https://b.example/c')] },
      text('.'),
    ])
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert`1`',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/v1/agents',
    'file:///etc/passwd',
    'java\tscript:alert`1`',
    'blob:https://x.example/1',
    'https://',
  ])('%s is no link', (target) => {
    expect(JSON.stringify(parseSpans(`[click](${target})`))).not.toContain('"link"')
  })

  test('no text is made, and every link goes to the web', () => {
    const pieces = fc.constantFrom('*', '**', '_', '`', '[', ']', '(', ')', 'a', '\n', 'https://x.y', 'javascript:')
    const flat = (spans: readonly Span[]): Span[] =>
      spans.flatMap((span) => ('spans' in span ? [span, ...flat(span.spans)] : [span]))
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const spans = flat(parseSpans(parts.join('')))
        const said = spans.map((span) => ('text' in span ? span.text : '')).join('')
        const links = spans.flatMap((span) => (span.kind === 'link' ? [span.href] : []))
        expect(said.replaceAll(/[^a]/g, '').length).toBeLessThanOrEqual(
          parts.filter((part) => /a/.test(part)).length * 2,
        )
        expect(links.filter((href) => !/^https?:\/\//.test(href))).toEqual([])
      }),
    )
  })
})

describe('on one line', () => {
  test.each([
    [
      '## Why it is wrong The sum starts at `1`, so **every** total is one too high: | basket | total | |---|---| | empty | 1 |',
      'Why it is wrong The sum starts at 1, so every total is one too high:',
    ],
    ['- **Done.** See [the log](https://a.example/log), _all_ of it', 'Done. See the log, all of it'],
    ['Run ```sh npm test ``` again. ## Next', 'Run npm test again. Next'],
    ['Run this: ## Next Then stop.', 'Run this: Next Then stop.'],
    ['2 * 3 * 4, a_b_c, x | y, # 5', '2 * 3 * 4, a_b_c, x | y, # 5'],
    ['', ''],
  ])('%s', (line, words) => {
    expect(plainLine(line)).toBe(words)
  })
})
