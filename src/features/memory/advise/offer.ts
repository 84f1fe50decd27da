import type { AdviceKind } from '../../../contract/command.ts'

/** Something that could be said. */
export interface Offer {
  readonly kind: Exclude<AdviceKind, 'none'>
  /** The same for the same advice. */
  readonly key: string
  /** More than before: there is a reason to say it again. */
  readonly evidence: number
  readonly text: string
  readonly why: string
}

/** Why nothing is said, in the words of the log. */
export const whySilent = [
  'held out',
  'off',
  'not sure enough',
  'too little is known',
  'unknown failure',
  'says it itself',
  'nothing to say',
  'passthrough',
  'specific',
  'cooldown',
  'said before',
  'just run',
  'never run here',
  'fails here',
  'not to be suggested',
  'over budget',
  'no room',
] as const
export type WhySilent = (typeof whySilent)[number]

export interface Silence {
  readonly silent: WhySilent
}

export const silence = (silent: WhySilent): Silence => ({ silent })

/** New evidence is what doubles the old: one more run of the same is none. */
export const doublings = (runs: number): number => Math.floor(Math.log2(runs + 1))
