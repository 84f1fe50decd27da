import { rankerSize } from './ranker.ts'
import { templateFeatures, templateHidden } from './template-stage.ts'
import { textFeatures, textHidden } from './text-stage.ts'
import { trained } from './trained.ts'

/** Agents and people work differently: each family has its own weights. */
export interface Weights {
  readonly agent: FamilyWeights
  readonly person: FamilyWeights
}
export interface FamilyWeights {
  readonly template: Float32Array
  readonly text: Float32Array
}

/** Weights are stored as 16-bit multiples of this step. */
export const weightStep = 1 / 4096

const templateSize = rankerSize(templateFeatures, templateHidden)
const textSize = rankerSize(textFeatures, textHidden)

const decode = (text: string, size: number): Float32Array => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== size * 2) throw new Error('the trained weights do not fit the features')
  return Float32Array.from({ length: size }, (_, index) => bytes.readInt16LE(index * 2) * weightStep)
}

const makeEmptyFamily = () => ({ template: new Float32Array(templateSize), text: new Float32Array(textSize) })

/** Zero weights, for training. */
export const emptyWeights = (): Weights => ({ agent: makeEmptyFamily(), person: makeEmptyFamily() })

/** Decodes weights in the format of trained.ts. */
export const decodeWeights = ({ agent, person }: typeof trained): Weights => ({
  agent: { template: decode(agent.template, templateSize), text: decode(agent.text, textSize) },
  person: { template: decode(person.template, templateSize), text: decode(person.text, textSize) },
})

/** The weights that the rankers start with, learnt from histories of other projects. */
export const trainedWeights = (): Weights => decodeWeights(trained)
