import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { postsText } from './text.ts'

interface ReadFlags {
  unread?: boolean
  peek?: boolean
  after?: number
  since?: number
  limit?: number
}

const usualLimit = 50

export const run = async (context: CliContext, flags: ReadFlags & JsonFlag, room: string): Promise<void> => {
  const { connect, out, cwd, now } = context
  const { unread, peek, after, since, limit } = flags
  if (peek && !unread) throw new ReinError('usage', '--peek goes with --unread: nothing else makes a message read.')
  if (unread && !peek && [after, since].some((value) => value !== undefined))
    throw new ReinError(
      'usage',
      'What --after or --since leave out would count as read, too.',
      'Give --unread alone or with --limit, or add --peek.',
    )
  // Reading on goes forward, page by page; everything else shows the newest.
  const isForward = unread || after !== undefined
  const isWhole = !isForward && since === undefined
  const where = { cwd: cwd(), room }
  const client = connect()
  const newest = { last: limit ?? (isWhole ? usualLimit : undefined) }
  const wanted = { unread, after, since, ...(isForward ? { limit } : newest) }
  const read = await client.posts({ ...where, ...wanted })
  if (flags.json) out.document(read)
  else out.line(postsText(read, now(), out))
  if (!unread || peek || read.posts.length + read.archived === 0) return
  // Only what was printed counts as read.
  await out.flush()
  await client.moveCursor({ ...where, upTo: read.upTo })
}
