import path from 'node:path'
import type { CliContext, JsonFlag } from '../context.ts'
import { forkedText } from './move-text.ts'
import { withProgress } from './progress.ts'

export interface ForkFlags {
  worktree?: string
  as?: string
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { worktree, as: handle, json }: ForkFlags & JsonFlag,
  target: string,
  turn?: string,
): Promise<void> => {
  // Empty: the daemon chooses where.
  const directory = worktree ? path.resolve(cwd(), worktree) : worktree
  const input = { cwd: cwd(), target, turn, handle, worktree: directory }
  const forked = await withProgress(out, (onProgress) => connect().fork(input, onProgress))
  if (json) out.document(forked)
  else out.line(forkedText(forked))
}
