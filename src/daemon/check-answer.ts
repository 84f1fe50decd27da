import { z } from 'zod'
import { ReinError } from '../contract/errors.ts'
import { type Card, lineOf } from '../contract/routes/route.ts'
import { isObject } from '../base/util/json.ts'

/** For tests: an answer that its card does not describe is an error, also one with a field that is not described. */
export const refuseUnfit = <T>(card: Card, answer: T): T => {
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const { success, data, error } = lineOf(card).safeParse(sent)
  const faults = success
    ? fieldsBeyond(sent, data, '').map((path) => `${path} is not described`)
    : [z.prettifyError(error).replaceAll('\n', ' ')]
  if (faults.length === 0) return answer
  throw new ReinError(
    'failed',
    `The answer to ${card.method} ${card.path} is not what its card says: ${faults.join('; ')}`,
  )
}

/** The fields that the schema does not have. */
const fieldsBeyond = (sent: unknown, read: unknown, path: string): string[] => {
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.flatMap((each, index) => fieldsBeyond(each, read[index], `${path}[${index}]`))
  if (!isObject(sent) || !isObject(read)) return []
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(read, name) ? fieldsBeyond(value, read[name], `${path}.${name}`) : [`${path}.${name}`],
  )
}
