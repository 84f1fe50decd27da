import path from 'node:path'
import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import type { PostView } from '../../contract/routes/team.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted } from '../format.ts'
import { createStyle } from '../output.ts'
import { postText } from './text.ts'

export interface ExportFlags {
  output?: string
  format?: 'ndjson' | 'text'
}

const pageSize = 200
const style = createStyle(false)

/** The whole room, page by page: nothing is kept of it here. */
export const run = async (context: CliContext, flags: ExportFlags & JsonFlag, room: string): Promise<void> => {
  const { connect, out, cwd } = context
  const { output, format = 'ndjson', json } = flags
  if (json && format === 'text') throw new ReinError('usage', 'Give --json or --format text, not both.')
  const lineOf = (post: PostView): string =>
    // Every line is dated: the file may be read much later.
    format === 'text' ? postText(post, 0, { style, isAgent: out.isAgent }) : JSON.stringify(post)
  const pages = pagesOf(connect(), { cwd: cwd(), room })
  if (output !== undefined) {
    const file = path.resolve(cwd(), output)
    let count = 0
    async function* chunks(): AsyncGenerator<string> {
      for await (const posts of pages) {
        count += posts.length
        yield posts.map((post) => `${lineOf(post)}\n`).join('')
      }
    }
    await writeFileAtomic(file, chunks())
    if (json) out.record({ file, posts: count })
    else out.line(`${counted(count, 'message')} in ${file}`)
    return
  }
  for await (const posts of pages) {
    for (const post of posts) out.line(lineOf(post))
    await out.flush()
  }
}

async function* pagesOf(client: Client, where: { cwd: string; room: string }): AsyncGenerator<PostView[]> {
  let from: { since: number } | { after: number } = { since: 0 }
  for (;;) {
    const { posts, left, upTo } = await client.posts({ ...where, ...from, limit: pageSize })
    yield posts
    if (left === 0) return
    from = { after: upTo }
  }
}
