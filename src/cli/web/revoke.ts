import { shortId } from '../../contract/ids.ts'
import { printable } from '../format.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }, _flags: object, device: string) => connect().revokeDevice({ id: device }),
  ({ id, name }) => `${printable(name)} (${shortId(id)}) is revoked: it may do nothing any more.`,
)
