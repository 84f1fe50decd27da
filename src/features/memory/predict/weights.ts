import { TEMPLATE_FEATURES, TEMPLATE_HIDDEN } from './template-stage.ts'
import { TEXT_FEATURES, TEXT_HIDDEN } from './text-stage.ts'
import { rankerSize } from './ranker.ts'
import { TRAINED } from './trained.ts'

/** Weights of one family: agents and people work differently. */
export interface FamilyWeights {
  readonly template: Float32Array
  readonly text: Float32Array
}
export interface Weights {
  readonly agent: FamilyWeights
  readonly person: FamilyWeights
}

/** Weights are kept as 16-bit steps of this size. */
export const STEP = 1 / 4096

const decode = (text: string, size: number): Float32Array => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== size * 2) throw new Error('the trained weights do not fit the features')
  return Float32Array.from({ length: size }, (_, index) => bytes.readInt16LE(index * 2) * STEP)
}

const TEMPLATE_SIZE = rankerSize(TEMPLATE_FEATURES, TEMPLATE_HIDDEN)
const TEXT_SIZE = rankerSize(TEXT_FEATURES, TEXT_HIDDEN)

const family = (trained: { readonly template: string; readonly text: string }): FamilyWeights => ({
  template: decode(trained.template, TEMPLATE_SIZE),
  text: decode(trained.text, TEXT_SIZE),
})

const emptyFamily = (): FamilyWeights => ({
  template: new Float32Array(TEMPLATE_SIZE),
  text: new Float32Array(TEXT_SIZE),
})

/** Weights that know nothing, for training. */
export const emptyWeights = (): Weights => ({ agent: emptyFamily(), person: emptyFamily() })

/** Weights as they are kept in trained.ts. */
export const weightsOf = ({ agent, person }: typeof TRAINED): Weights => ({
  agent: family(agent),
  person: family(person),
})

/** What the ranker starts with, learnt from histories of other projects. */
export const trainedWeights = (): Weights => weightsOf(TRAINED)
