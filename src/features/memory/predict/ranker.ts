const leak = 0.1
const negligible = 1e-4

/** The number of weights of a ranker. */
export const rankerSize = (features: number, hidden: number): number => features * (hidden + 1) + 2 * hidden

/** Scores candidates by their features with one hidden layer, trained by cross-entropy. */
export class Ranker {
  readonly features: number
  readonly hidden: number
  /** Per feature: its weight in each hidden unit and in the score. Then the units' biases and the units' weights. */
  readonly weights: Float32Array
  readonly #width: number
  /** The hidden units and the linear score of each candidate, one candidate after the other. */
  readonly #units: Float32Array
  readonly #common: Float32Array
  readonly #slope: Float32Array
  readonly #sum: Float32Array
  readonly #slopes: Float32Array

  constructor(features: number, hidden: number, weights: Float32Array, mostCandidates: number) {
    this.features = features
    this.hidden = hidden
    this.weights = weights
    this.#width = hidden + 1
    this.#units = new Float32Array(this.#width * mostCandidates)
    this.#common = new Float32Array(this.#width)
    this.#slope = new Float32Array(this.#width)
    this.#sum = new Float32Array(this.#width)
    this.#slopes = new Float32Array(weights.length)
  }

  /** Writes the probabilities of the candidates, which lie in `matrix` one after the other, to `out`. */
  probabilities(matrix: Float32Array, out: Float32Array): void {
    const { features, hidden, weights } = this
    const units = this.#units
    const width = this.#width
    const biases = features * width
    const count = out.length
    const last = (count - 1) * features
    // Candidates share most features with the last, unlikeliest one, so that only the differences cost time.
    for (let unit = 0; unit < hidden; unit++) this.#common[unit] = weights[biases + unit] ?? 0
    this.#common[hidden] = 0
    for (let feature = 0; feature < features; feature++)
      addScaled(this.#common, 0, weights, feature * width, width, matrix[last + feature] ?? 0)
    let most = Number.NEGATIVE_INFINITY
    for (let candidate = 0; candidate < count; candidate++) {
      const at = candidate * width
      units.set(this.#common, at)
      for (let feature = 0; feature < features; feature++) {
        const other = (matrix[candidate * features + feature] ?? 0) - (matrix[last + feature] ?? 0)
        addScaled(units, at, weights, feature * width, width, other)
      }
      let score = units[at + hidden] ?? 0
      for (let unit = 0; unit < hidden; unit++) {
        const sum = units[at + unit] ?? 0
        const value = sum > 0 ? sum : leak * sum
        units[at + unit] = value
        score += (weights[biases + hidden + unit] ?? 0) * value
      }
      out[candidate] = score
      if (score > most) most = score
    }
    let sum = 0
    for (let candidate = 0; candidate < count; candidate++) {
      const weight = Math.exp((out[candidate] ?? 0) - most)
      out[candidate] = weight
      sum += weight
    }
    for (let candidate = 0; candidate < count; candidate++) out[candidate] = (out[candidate] ?? 0) / sum
  }

  /** One gradient step towards the right one of `count` candidates. */
  learn(matrix: Float32Array, count: number, right: number, rate: number): void {
    this.#slopes.fill(0)
    this.gradient(matrix, count, right, this.#slopes)
    for (let index = 0; index < this.weights.length; index++)
      this.weights[index] = (this.weights[index] ?? 0) - rate * (this.#slopes[index] ?? 0)
  }

  /** Adds to `slopes` by how much each weight makes the right candidate less likely. */
  gradient(matrix: Float32Array, count: number, right: number, slopes: Float32Array): void {
    const { features, hidden, weights } = this
    const width = this.#width
    const unitWeights = features * width + hidden
    const last = (count - 1) * features
    const probabilities = new Float32Array(count)
    this.probabilities(matrix, probabilities)
    this.#sum.fill(0)
    for (let candidate = 0; candidate < count; candidate++) {
      const error = (probabilities[candidate] ?? 0) - (candidate === right ? 1 : 0)
      if (Math.abs(error) <= negligible) continue
      for (let unit = 0; unit < hidden; unit++) {
        const value = this.#units[candidate * width + unit] ?? 0
        this.#slope[unit] = error * (weights[unitWeights + unit] ?? 0) * (value > 0 ? 1 : leak)
        slopes[unitWeights + unit] = (slopes[unitWeights + unit] ?? 0) + error * value
      }
      this.#slope[hidden] = error
      addScaled(this.#sum, 0, this.#slope, 0, width, 1)
      for (let feature = 0; feature < features; feature++) {
        const other = (matrix[candidate * features + feature] ?? 0) - (matrix[last + feature] ?? 0)
        addScaled(slopes, feature * width, this.#slope, 0, width, other)
      }
    }
    for (let feature = 0; feature < features; feature++)
      addScaled(slopes, feature * width, this.#sum, 0, width, matrix[last + feature] ?? 0)
    addScaled(slopes, features * width, this.#sum, 0, hidden, 1)
  }
}

function addScaled(
  to: Float32Array,
  start: number,
  from: Float32Array,
  first: number,
  count: number,
  scale: number,
): void {
  if (scale === 0) return
  for (let index = 0; index < count; index++)
    to[start + index] = (to[start + index] ?? 0) + scale * (from[first + index] ?? 0)
}
