import { describe, expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import { asReason, choicesFor, joinAnswers, subQuestions } from './choices.ts'

const question = (given: Partial<Question>): Question => ({
  id: 'toolu_1',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'ls' },
  summary: 'ls',
  ...given,
})

describe('choicesFor', () => {
  test('a permission in a terminal takes no reason, over a protocol it does', () => {
    const inTmux = choicesFor(question({}), 'tmux')
    expect(inTmux.buttons.map(({ answer, tone }) => [answer, tone])).toEqual([
      ['allow', 'allow'],
      ['deny', 'deny'],
    ])
    expect(inTmux.words).toBeNull()
    expect(choicesFor(question({}), 'stream').words).toBe('denial')
    expect(choicesFor(question({ id: 'held:1' }), 'tmux').words).toBe('denial')
    expect(choicesFor(question({}), null).words).toBeNull()
  })

  test('what its CLI offers besides is offered by name, and never instead of allowing once', () => {
    const { buttons } = choicesFor(question({ options: ['Allow', 'Always allow', 'No'] }), 'stream')
    expect(buttons.map(({ label, answer, tone }) => [label, answer, tone])).toEqual([
      ['Allow once', 'allow', 'allow'],
      ['Deny', 'deny', 'deny'],
      ['Allow', '1', 'plain'],
      ['Always allow', 'Always allow', 'plain'],
      ['No', '3', 'plain'],
    ])
  })

  test('a dialog of the CLI takes its options only, a question of the model any words', () => {
    const options = ['No, exit', 'Yes, I trust this folder']
    const dialog = choicesFor(question({ kind: 'question', id: 'screen:trust:1', options }), 'tmux')
    // A comma would choose two.
    expect(dialog.buttons.map(({ answer }) => answer)).toEqual(['1', '2'])
    expect(dialog.words).toBeNull()
    expect(choicesFor(question({ kind: 'question', options: ['red', 'red '] }), 'tmux')).toMatchObject({
      buttons: [{ answer: '1' }, { answer: '2' }],
      words: 'answer',
    })
  })
})

describe('an option is named so that the daemon finds it and no other', () => {
  const named = (kind: Question['kind'], options: string[]) =>
    choicesFor(question({ kind, options }), 'stream')
      .buttons.filter(({ tone }) => tone === 'plain')
      .map(({ label, answer }) => [label, answer])

  test('a question of the model has its own yes and no', () => {
    expect(named('question', ['No', '1', '3'])).toEqual([
      ['No', 'No'],
      ['1', '1'],
      ['3', '3'],
    ])
  })

  test('a number that is the name of another option names that one', () => {
    expect(named('permission', ['No', '1', 'Always'])).toEqual([
      ['1', '1'],
      ['Always', 'Always'],
    ])
    expect(named('question', ['allow', 'b', '1'])).toEqual([
      ['b', 'b'],
      ['1', '1'],
    ])
  })

  test('a name with blanks around it is found by no name', () => {
    expect(named('question', [' red', 'blue'])).toEqual([
      [' red', '1'],
      ['blue', 'blue'],
    ])
  })

  test('in a form, too: what cannot be named is no answer', () => {
    const asked = [
      { question: '', header: '', isMany: false, options: ['a, b', '1'].map((label) => ({ label, about: '' })) },
    ]
    expect(joinAnswers(asked, [{ chosen: [0], words: '' }])).toBeNull()
    expect(joinAnswers(asked, [{ chosen: [1], words: '' }])).toBe('1')
  })
})

test('only a login helps where there is none', () => {
  expect(choicesFor(question({ kind: 'question', tool: 'login', options: [] }), 'stream')).toEqual({
    buttons: [],
    words: null,
  })
})

test.each([
  ['use the other file', 'use the other file'],
  [' yes ', 'yes.'],
  ['2', '2.'],
  ['always ALLOW', 'always ALLOW.'],
  ['proceed_always', 'proceed_always.'],
])('the reason %j of a denial chooses nothing', (words, reason) => {
  expect(asReason(words, question({ options: ['Always allow'] }))).toBe(reason)
})

describe('several questions at once', () => {
  const input = {
    questions: [
      { question: 'Which?', header: 'Colour', options: [{ label: 'red', description: 'warm' }, { label: 'deny' }] },
      { question: 'What else?', multiSelect: true, options: [{ label: 'a, b' }, { label: 'c' }] },
      'no question',
    ],
  }
  const asked = subQuestions(question({ kind: 'question', input }))

  test('are read as far as they have the form', () => {
    expect(asked.map(({ header, options, isMany }) => [header, options.length, isMany])).toEqual([
      ['Colour', 2, false],
      ['', 2, true],
    ])
    expect(subQuestions(question({ kind: 'permission', input }))).toEqual([])
  })

  test('are answered by a line each, when each has an answer', () => {
    const none = { chosen: [], words: '' }
    expect(joinAnswers(asked, [{ chosen: [0], words: '' }, none])).toBeNull()
    expect(
      joinAnswers(asked, [
        { chosen: [1], words: '' },
        { chosen: [0, 1], words: '' },
      ]),
    ).toBe('2\n1, c')
    expect(
      joinAnswers(asked, [
        { chosen: [1], words: 'two\nlines' },
        { chosen: [1], words: '' },
      ]),
    ).toBe('two lines\nc')
  })
})
