import { readFileSync } from 'node:fs'
import { fillIn } from './redaction-values.ts'

/** A command or an output; secrets in it stand between « and ». */
export interface CorpusText {
  kind: string
  template: string
}

const folder = new URL('../fixtures/redaction/', import.meta.url)

/** Each text of these files begins with its kind between percent signs at the start of a line. */
const read = (...files: string[]): CorpusText[] =>
  files.flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .trimEnd()
      .split(/\n(?=%[a-z0-9-]+% )/)
      .map((text) => ({ kind: /^%(.+?)% /.exec(text)?.[1] ?? '', template: text.replace(/^%.+?% /, '') })),
  )

export const plantedTexts = read(
  'planted-tokens.txt',
  'planted-commands.txt',
  'planted-more.txt',
  'planted-everyday.txt',
)
export const ordinaryTexts = read(
  'ordinary-commands.txt',
  'ordinary-output.txt',
  'ordinary-more.txt',
  'ordinary-everyday.txt',
)

/** The same texts, filled in with other made-up values for each seed. */
export const filledIn = (texts: readonly CorpusText[], seed: number): CorpusText[] =>
  texts.map(({ kind, template }, index) => ({ kind, template: fillIn(template, seed * 10_000 + index) }))
