import type { CliContext, JsonFlag } from '../context.ts'
import { archivedText } from './text.ts'

export interface ArchiveFlags {
  keep: number
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { keep, json }: ArchiveFlags & JsonFlag,
  room: string,
): Promise<void> => {
  const archived = await connect().archiveRoom({ cwd: cwd(), room, keep })
  if (json) out.document(archived)
  else out.line(archivedText(archived))
}
