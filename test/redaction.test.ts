import { describe, expect, test } from 'vitest'
import { redact } from '../src/base/redact/redact.ts'
import { filledIn, ordinaryTexts, plantedTexts } from './support/redaction-corpus.ts'
import { planted } from './support/redaction-values.ts'

/** Every text of the corpus comes with this many sets of made-up values. */
const seeds = Array.from({ length: 10 }, (_, index) => index + 1)
const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} % (${part} of ${all})`

const plantings = seeds.flatMap((seed) =>
  filledIn(plantedTexts, seed).map(({ kind, template }) => {
    const { text, clean, secrets } = planted(template, '[redacted]')
    const result = redact(text).text
    const found = secrets.every((secret) => !result.includes(secret))
    const exact = result.replace(/\[redacted:[a-z0-9-]+\]/g, '[redacted]') === clean
    return { kind, text, result, found, exact }
  }),
)

const ordinary = seeds.flatMap((seed) =>
  filledIn(ordinaryTexts, seed).map(({ kind, template }) => ({ kind, template, result: redact(template) })),
)

describe('the corpus of planted and ordinary texts', () => {
  test('is large enough to mean something', () => {
    expect(plantedTexts.length).toBeGreaterThanOrEqual(300)
    expect(new Set(plantedTexts.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(200)
    expect(ordinaryTexts.length).toBeGreaterThanOrEqual(400)
    expect(plantedTexts.filter(({ template }) => !/«[^»]+»/.test(template))).toEqual([])
    expect(ordinaryTexts.filter(({ kind, template }) => kind === '' || /[«»]/.test(template))).toEqual([])
  })

  test('every planted secret is found, and nothing but the secret is taken out', () => {
    const missed = plantings.filter(({ found }) => !found)
    const blurred = plantings.filter(({ exact }) => !exact)
    console.log(`recall ${percent(plantings.length - missed.length, plantings.length)}`)
    console.log(`shape kept ${percent(plantings.length - blurred.length, plantings.length)}`)
    expect(missed).toEqual([])
    expect(blurred).toEqual([])
  })

  test('at most one of a hundred ordinary texts is changed', () => {
    const changed = ordinary.filter(({ result }) => result.count > 0)
    console.log(`false rate ${percent(changed.length, ordinary.length)}`)
    expect(changed.length / ordinary.length).toBeLessThanOrEqual(0.01)
  })

  test('what was redacted once stays as it is', () => {
    const unstable = plantings.filter(({ result }) => redact(result).text !== result)
    expect(unstable).toEqual([])
  })
})
