import path from 'node:path'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted, printable } from '../format.ts'
import { writePage } from './page/write.ts'
import { storyText } from './text.ts'

export const run = async (
  { connect, out, cwd }: CliContext,
  { since, output, force = false, json }: { since?: number; output?: string; force?: boolean } & JsonFlag,
  target: string,
): Promise<void> => {
  const story = await connect().story({ cwd: cwd(), target, since })
  if (output !== undefined) await writePage(path.resolve(cwd(), output), story, force)
  if (json) return out.document(story)
  if (output !== undefined) return out.line(`${printable(output)}: ${counted(story.moments.length, 'moment')}.`)
  // A pipe has no width: its reader breaks the lines.
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY
  out.line(storyText(story, { style: out.style, columns, isAgent: out.isAgent }))
}
