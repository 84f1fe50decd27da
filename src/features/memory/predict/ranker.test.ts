import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ranker, rankerSize } from './ranker.ts'

const FEATURES = 5
const HIDDEN = 3
const SIZE = rankerSize(FEATURES, HIDDEN)

const numbers = (count: number) =>
  fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: count, maxLength: count })
const rankers = numbers(SIZE).map((weights) => new Ranker(FEATURES, HIDDEN, Float32Array.from(weights), 8))
const matrices = fc.integer({ min: 2, max: 8 }).chain((count) => numbers(count * FEATURES))

const probabilities = (ranker: Ranker, matrix: Float32Array): Float32Array => {
  const out = new Float32Array(matrix.length / FEATURES)
  ranker.probabilities(matrix, out)
  return out
}

/** The same, written down plainly. */
function plainScore({ weights }: Ranker, row: Float32Array): number {
  const width = HIDDEN + 1
  const sums = Array.from({ length: width }, (_, unit) =>
    row.reduce((sum, value, feature) => sum + value * (weights[feature * width + unit] ?? 0), 0),
  )
  const units = sums.slice(0, HIDDEN).map((sum, unit) => sum + (weights[FEATURES * width + unit] ?? 0))
  return units.reduce(
    (score, value, unit) =>
      score + (weights[FEATURES * width + HIDDEN + unit] ?? 0) * (value > 0 ? value : 0.1 * value),
    sums[HIDDEN] ?? 0,
  )
}

it('scores each candidate by its own features alone', () => {
  fc.assert(
    fc.property(rankers, matrices, (ranker, values) => {
      const matrix = Float32Array.from(values)
      const count = matrix.length / FEATURES
      const scores = Array.from({ length: count }, (_, index) =>
        Math.exp(plainScore(ranker, matrix.subarray(index * FEATURES, (index + 1) * FEATURES))),
      )
      const sum = scores.reduce((total, score) => total + score, 0)
      for (const [index, likely] of probabilities(ranker, matrix).entries())
        expect(likely).toBeCloseTo((scores[index] ?? 0) / sum, 4)
    }),
  )
})

it('learns the same whatever it was asked in between', () => {
  fc.assert(
    fc.property(rankers, matrices, matrices, fc.nat(), (ranker, values, others, which) => {
      const matrix = Float32Array.from(values)
      const count = matrix.length / FEATURES
      const twin = new Ranker(FEATURES, HIDDEN, ranker.weights.slice(), 8)
      probabilities(ranker, matrix)
      probabilities(ranker, Float32Array.from(others))
      ranker.learn(matrix, count, which % count, 0.1)
      twin.learn(matrix, count, which % count, 0.1)
      expect(ranker.weights).toEqual(twin.weights)
    }),
  )
})

it('comes to know what is right', () => {
  const weights = Float32Array.from({ length: SIZE }, (_, index) => Math.sin(index) / 4)
  const ranker = new Ranker(FEATURES, HIDDEN, weights, 8)
  const matrix = Float32Array.from({ length: 3 * FEATURES }, (_, index) => Math.cos(index * index))
  for (let step = 0; step < 200; step++) ranker.learn(matrix, 3, 1, 0.1)
  expect(probabilities(ranker, matrix)[1]).toBeGreaterThan(0.95)
})
