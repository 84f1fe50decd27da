import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { postsText } from './text.ts'

interface ReadFlags {
  unread?: boolean
  peek?: boolean
  after?: number
  since?: number
  last?: number
  limit?: number
}

const usualLast = 50

export const run = async (context: CliContext, flags: ReadFlags & JsonFlag, room: string): Promise<void> => {
  const { connect, out, cwd, now } = context
  const { unread, peek, after, since, last, limit } = flags
  if (peek && !unread) throw new ReinError('usage', '--peek goes with --unread: nothing else makes a message read.')
  if (unread && !peek && [after, since, last].some((value) => value !== undefined))
    throw new ReinError(
      'usage',
      'What --after, --since or --last leave out would count as read, too.',
      'Give --unread alone or with --limit, or add --peek.',
    )
  const isWhole = !unread && after === undefined && since === undefined
  const where = { cwd: cwd(), room }
  const client = connect()
  const wanted = { unread, after, since, last: last ?? (isWhole ? usualLast : undefined), limit }
  const read = await client.posts({ ...where, ...wanted })
  if (flags.json) out.document(read)
  else out.line(postsText(read, now(), out))
  if (!unread || peek || read.posts.length + read.archived === 0) return
  // Only what was printed counts as read.
  await out.flush()
  await client.moveCursor({ ...where, upTo: read.upTo })
}
