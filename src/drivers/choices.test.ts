import { describe, expect, test } from 'vitest'
import { chooseAnswers, readChoices, labelFor } from './choices.ts'

const colour = { question: 'Which colour?', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] }
const sizes = { question: 'Which sizes?', multiSelect: true, options: [{ label: 'Big' }, { label: 'Small' }] }

test('what is asked, and what is offered', () => {
  expect(readChoices({ questions: [colour, 7, {}] })).toEqual([
    { question: 'Which colour?', labels: ['Red', 'Blue'], isMany: false },
    { question: '', labels: [], isMany: false },
  ])
  expect(readChoices({})).toEqual([])
})

describe('an answer', () => {
  test.each([
    ['2', 'Blue'],
    ['red', 'Red'],
    [' Blue ', 'Blue'],
    ['3', '3'],
    ['0', '0'],
    ['Green, please', 'Green, please'],
    ['1,2', '1,2'],
  ])('%j to one question is %j', (text, answer) => {
    expect(chooseAnswers(readChoices({ questions: [colour] }), text)).toEqual([answer])
  })

  test.each([
    ['1,2', 'Big, Small'],
    ['small', 'Small'],
    ['1, Huge', '1, Huge'],
  ])('%j where several may be chosen is %j', (text, answer) => {
    expect(chooseAnswers(readChoices({ questions: [sizes] }), text)).toEqual([answer])
  })

  test('to several questions is a line for each, or the same for all', () => {
    const choices = readChoices({ questions: [colour, sizes] })
    expect(chooseAnswers(choices, '1\n2')).toEqual(['Red', 'Small'])
    expect(chooseAnswers(choices, '1')).toEqual(['Red', 'Big'])
    expect(chooseAnswers(choices, 'a\nb\nc')).toEqual(['a\nb\nc', 'a\nb\nc'])
  })
})

test('a label that is a number is meant before the place', () => {
  expect(labelFor(['2', '1'], '1')).toBe('1')
})
