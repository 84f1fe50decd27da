import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ranker, rankerSize } from './ranker.ts'

const features = 5
const hidden = 3
const size = rankerSize(features, hidden)

const numbers = (count: number) =>
  fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: count, maxLength: count })
const rankers = numbers(size).map((weights) => new Ranker(features, hidden, Float32Array.from(weights), 8))
const matrices = fc.integer({ min: 2, max: 8 }).chain((count) => numbers(count * features))

const probabilities = (ranker: Ranker, matrix: Float32Array): Float32Array => {
  const out = new Float32Array(matrix.length / features)
  ranker.probabilities(matrix, out)
  return out
}

/** The same, written down plainly. */
function plainScore({ weights }: Ranker, row: Float32Array): number {
  const width = hidden + 1
  const sums = Array.from({ length: width }, (_, unit) =>
    row.reduce((sum, value, feature) => sum + value * (weights[feature * width + unit] ?? 0), 0),
  )
  const units = sums.slice(0, hidden).map((sum, unit) => sum + (weights[features * width + unit] ?? 0))
  return units.reduce(
    (score, value, unit) =>
      score + (weights[features * width + hidden + unit] ?? 0) * (value > 0 ? value : 0.1 * value),
    sums[hidden] ?? 0,
  )
}

it('scores each candidate by its own features alone', () => {
  fc.assert(
    fc.property(rankers, matrices, (ranker, values) => {
      const matrix = Float32Array.from(values)
      const count = matrix.length / features
      const scores = Array.from({ length: count }, (_, index) =>
        Math.exp(plainScore(ranker, matrix.subarray(index * features, (index + 1) * features))),
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
      const count = matrix.length / features
      const twin = new Ranker(features, hidden, ranker.weights.slice(), 8)
      probabilities(ranker, matrix)
      probabilities(ranker, Float32Array.from(others))
      ranker.learn(matrix, count, which % count, 0.1)
      twin.learn(matrix, count, which % count, 0.1)
      expect(ranker.weights).toEqual(twin.weights)
    }),
  )
})

it('comes to know what is right', () => {
  const weights = Float32Array.from({ length: size }, (_, index) => Math.sin(index) / 4)
  const ranker = new Ranker(features, hidden, weights, 8)
  const matrix = Float32Array.from({ length: 3 * features }, (_, index) => Math.cos(index * index))
  for (let step = 0; step < 200; step++) ranker.learn(matrix, 3, 1, 0.1)
  expect(probabilities(ranker, matrix)[1]).toBeGreaterThan(0.95)
})
