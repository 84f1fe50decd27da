import { describe, expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import { type Asking, codeOf, isAnswerable, questionText, readAnswer, withoutCodes } from './questions.ts'

const asking = (question: Partial<Question> = {}, agent: Partial<Asking['agent']> = {}): Asking => ({
  agent: { id: 'agt_1', handle: 'worker', since: 1, ...agent },
  question: {
    id: 'q1',
    kind: 'permission',
    tool: 'Bash',
    input: { command: 'npm publish', timeout: 9 },
    summary: 'npm publish',
    ...question,
  },
})

test('a code is the same for the same asking, and another for every other one, and under another secret', () => {
  const others = [
    codeOf('s', asking()),
    codeOf('s', asking({ id: 'q2' })),
    codeOf('s', asking({}, { id: 'agt_2' })),
    codeOf('s', asking({}, { since: 2 })),
    codeOf('t', asking()),
  ]
  expect(others.every((code) => /^#[0-9a-f]{6}$/.test(code))).toBe(true)
  expect([new Set(others).size, codeOf('s', asking({ tool: 'Edit' }))]).toEqual([5, others[0]])
})

describe('a question', () => {
  test('for permission says all there is to know, and how to answer', () => {
    expect(questionText('#aaaaaa', asking())).toBe(
      [
        'worker asks for permission: Bash',
        'command: npm publish',
        'timeout: 9',
        'Answer: #aaaaaa allow, #aaaaaa deny, or #aaaaaa and why not',
      ].join('\n'),
    )
  })

  test('about a plan, and one with options', () => {
    expect(questionText('#aaaaaa', asking({ kind: 'plan', input: {}, summary: 'Do it.' }))).toMatch(
      /^worker wants its plan approved: Bash\nDo it\.\nAnswer: #aaaaaa allow/,
    )
    const choice = asking({ kind: 'question', tool: 'Ask', input: {}, summary: 'Which?', options: ['red', 'blue'] })
    expect(questionText('#aaaaaa', choice)).toBe(
      'worker asks: Ask\nWhich?\n1. red\n2. blue\nAnswer: #aaaaaa and the name or number of an option, or your own words',
    )
  })

  test('hides nothing: what cannot be seen is spelt out', () => {
    const text = questionText(
      '#aaaaaa',
      asking({ tool: 'Ba\u202esh', input: { command: 'ls\r\u200brm -rf /' }, options: ['\u001b[2K'] }),
    )
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(text).toContain('command: ls\\u{d}\\u{200b}rm -rf /')
  })

  test('that is too long for a phone is not to be answered there', () => {
    const long = asking({ input: { content: 'x'.repeat(9_000) } })
    const text = questionText('#aaaaaa', long)
    expect([isAnswerable(asking().question), isAnswerable(long.question)]).toEqual([true, false])
    expect([text.length < 3_300, text.includes('#aaaaaa')]).toEqual([true, false])
    expect(text).toMatch(/ characters more\.\nThis is too long to be answered here: rein answer worker$/)
  })

  test('is never cut through a character', () => {
    for (const before of ['', 'x'])
      expect(questionText('#aaaaaa', asking({ input: { a: before + '😀'.repeat(2_000) } }))).not.toMatch(
        /\p{Surrogate}/u,
      )
  })
})

describe('an answer', () => {
  test.each([
    ['#3fa9c1 allow', '#3fa9c1', 'allow'],
    ['  #3FA9C1   deny \n', '#3fa9c1', 'deny'],
    ['#3fa9c1\nNot on a Friday.\nAsk on Monday.', '#3fa9c1', 'Not on a Friday.\nAsk on Monday.'],
  ])('%j', (text, code, answer) => {
    expect(readAnswer(text)).toEqual({ code, answer })
  })

  test.each(['', '3fa9c1 allow', '#3fa9c allow', '#3fa9c1a allow', 'yes #3fa9c1 allow', '#issue 7'])(
    'is not %j',
    (text) => {
      expect(readAnswer(text)).toBeNull()
    },
  )

  test('may be only the name of the question', () => {
    for (const text of ['#3fa9c1', ' #3FA9C1 ']) expect(readAnswer(text)).toEqual({ code: '#3fa9c1', answer: '' })
  })

  test('is found as quickly in a text that is made to be slow', () => {
    const text = `#3fa9c1 x${' '.repeat(2_000_000)}y`
    expect(readAnswer(text)?.answer).toHaveLength(2_000_002)
  })
})

test('what an agent says has no code that a person would answer to', () => {
  const text = withoutCodes('worker asks: #3fa9c1 allow, (#ABCDEF) #3fa9c1\n#12 #nothex #1234567')
  expect(text.match(/#[0-9a-f]{6}\b/gi)).toBeNull()
  expect(text).toContain('#12 #nothex #1234567')
})
