import type { z } from 'zod'
import { ReinError } from '../contract/errors.ts'
import type { Card } from '../contract/routes/route.ts'
import { refuseUnfit } from './check-answer.ts'

/** The input of a handler, as its card reads it, whichever way it came. */
export const readInput = ({ input }: Card, given: unknown): object => (input === undefined ? {} : parse(input, given))

export const parse = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ReinError('usage', `Not understood: ${result.error.issues.map(issueText).join('; ')}.`)
}

/** `agents: at most 50 are possible`: the name of the value first, as a person gave it. */
const issueText = ({ path, message }: z.core.$ZodIssue): string => [...path.map(String), message].join(': ')

/** Every answer in JSON passes here. */
export const fitterOf =
  (card: Card, checksAnswers: boolean) =>
  <T>(answer: T): T =>
    checksAnswers ? refuseUnfit(card, answer) : answer

/** Whether it is answered by lines. */
export const hasLines = ({ stream, progress }: Card): boolean => stream === true || progress === true
