import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteOf, noteText } from './note.ts'
import { Ranking } from './ranking.ts'
import { tellingLines } from './telling.ts'
import { tokensOf } from './tokens.ts'

const note = (name: string, title: string, fix: string) => noteOf(name, noteText({ title, fix }))
const notes = [
  note('port', 'Port 5432 is taken', 'Stop postgres, or set PGPORT.'),
  note('lock', 'The lock file differs', 'Run npm install; postgres has nothing to do with it.'),
  note('fonts', 'Fonts differ in CI', 'Run it in the container.'),
]
const ranking = new Ranking(notes)
const found = (text: string): string[] => ranking.fitting(tokensOf(text), 3).map((each) => each.note.name)

test('words are those of two characters and more, in small letters, without the usual ones', () => {
  expect(tokensOf('The port 5432 is in USE: a x_y, Größe, left-pad!')).toEqual(['port', '5432', 'größe', 'left', 'pad'])
})

test('what a word is worth falls with the notes that have it, and a title counts twice', () => {
  const best = (word: string): number => ranking.search([word])[0]?.weight ?? 0
  expect(best('postgres')).toBeLessThan(best('container'))
  const one = new Ranking([
    note('in-title', 'Kafka rebalances', 'Wait a while.'),
    note('in-text', 'Wait a while', 'Kafka rebalances.'),
  ])
  expect(one.search(['kafka']).map((each) => each.note.name)).toEqual(['in-title', 'in-text'])
})

test('the score is that of BM25 with k1 1.5 and b 0.75', () => {
  const two = new Ranking([noteOf('a', 'alpha beta'), noteOf('b', 'gamma delta')])
  // Each has its name as title: three words; `alpha` stands once, in one of two notes.
  const worth = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
  expect(two.search(['alpha'])).toMatchObject([{ score: worth, matched: 1, weight: 1 }])
})

test('a question needs three words, and three of them in the note', () => {
  expect(found('port taken')).toEqual([])
  expect(found('port 5432 taken')).toEqual(['port'])
  expect(found('port 5432 elephants giraffes')).toEqual([])
})

test('the same words among many others are chance', () => {
  const others = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ')
  expect(found(`port 5432 taken ${others}`)).toEqual([])
})

test('at most so many, best first, and each that is found has a word of the question', () => {
  const word = fc.constantFrom('port', 'lock', 'file', 'npm', 'fonts', 'ci', 'container', 'zebra')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.nat(3), (words, most) => {
      const all = ranking.search(words)
      expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a))
      for (const each of all) expect(words.some((one) => tokensOf(each.note.text).includes(one))).toBe(true)
      expect(ranking.fitting(words, most).length).toBeLessThanOrEqual(most)
    }),
  )
})

test('no notes, nothing found', () => {
  expect(new Ranking([]).fitting(tokensOf('port 5432 taken'), 3)).toEqual([])
})

test('of an output the complaints and the last lines tell, without colours', () => {
  const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`)
  const told = tellingLines(['\u001b[31mError: no port\u001b[0m', ...lines].join('\r\n')).split('\n')
  expect(told).toEqual(['Error: no port', ...lines.slice(-6)])
})
