import type { SubAnswer } from './choices.ts'

export const noAnswer: SubAnswer = { chosen: [], words: '' }

/** What is shown is what is sent: own words and options of one question exclude each other. */
export const withWords = ({ chosen }: SubAnswer, words: string): SubAnswer => ({
  chosen: words.trim() === '' ? chosen : [],
  words,
})

/** Of one that takes many, an option is chosen or given up; any other has one. */
export const withOption = ({ chosen }: SubAnswer, index: number, isMany: boolean): SubAnswer => {
  const others = chosen.filter((one) => one !== index)
  const isGivenUp = others.length < chosen.length
  const next = !isMany ? [index] : isGivenUp ? others : [...others, index].toSorted((a, b) => a - b)
  return { chosen: next, words: '' }
}
