import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus, laterSought, laterUnrelated, noise, sought, unrelated } from '../../../test/support/notes-corpus.ts'
import { noteOf, noteText } from './note.ts'
import { Ranking } from './ranking.ts'
import { tellingLines } from './telling.ts'
import { tokensOf } from './tokens.ts'

const notes = Object.entries(corpus).map(([name, [title, problem, fix]]) =>
  noteOf(name, noteText({ title, problem, fix })),
)
const page = readFileSync(join(import.meta.dirname, '../../../docs/notes.md'), 'utf8')

/** A command, and below it what it printed; or a prompt. */
const asGiven = (query: string): string => query
const amongNoise = (query: string): string => {
  const [command = '', ...printed] = query.split('\n')
  return printed.length === 0 ? query : `${command}\n${tellingLines([noise, ...printed].join('\n'))}`
}

const names = (ranking: Ranking, text: string): string[] =>
  ranking.fitting(tokensOf(text), 3).map(({ note }) => note.name)

interface Questions {
  fitting: typeof sought
  others: readonly string[]
  form: (query: string) => string
}

const figures = ({ fitting, others, form }: Questions): string[] => {
  const all = new Ranking(notes)
  const found = fitting.map(([query, want]) => ({ want, got: names(all, form(query)) }))
  const alone = notes.flatMap((note) => others.map((query) => names(new Ranking([note]), form(query))))
  const count = <T>(items: readonly T[], is: (item: T) => boolean): string =>
    `${items.filter(is).length} of ${items.length}`
  return [
    count(found, ({ want, got }) => got[0] === want),
    count(found, ({ want, got }) => got.includes(want)),
    count(others, (query) => names(all, form(query)).length > 0),
    count(alone, (got) => got.length > 0),
  ]
}

const asked = { fitting: sought, others: unrelated }

test.each([
  ['as they stand', { ...asked, form: asGiven }],
  ['failures among 100 other lines', { ...asked, form: amongNoise }],
  ['written later', { fitting: laterSought, others: laterUnrelated, form: asGiven }],
])('the page has the figures of questions %s', (what, questions) => {
  expect(page).toContain(`| ${[what, ...figures(questions)].join(' | ')} |`)
})

test('the set is as large as the page says', () => {
  expect(page).toContain(`${notes.length} notes, ${sought.length} questions`)
  expect(page).toContain(`${unrelated.length} that none helps with`)
})
