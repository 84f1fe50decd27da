import { ReinError } from '../../contract/errors.ts'
import type { MovedPart } from '../../contract/session.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { movedText } from './move-text.ts'
import { withProgress } from './progress.ts'
import type { MoveFlags } from './back.ts'

export interface RewindFlags extends MoveFlags {
  code?: boolean
  chat?: boolean
  both?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { code, chat, both, preview, stop, force, json }: RewindFlags & JsonFlag,
  target: string,
  turn: string,
): Promise<void> => {
  const input = { cwd: cwd(), target, turn, part: partOf({ code, chat, both }), preview, stop, force }
  const moved = await withProgress(out, (onProgress) => connect().rewind(input, onProgress))
  if (json) out.document(moved)
  else out.line(movedText(moved, out.style))
}

const partOf = (flags: Record<MovedPart, boolean | undefined>): MovedPart => {
  const given = (['code', 'chat', 'both'] as const).filter((part) => flags[part])
  if (given.length > 1)
    throw new ReinError(
      'usage',
      'Give only one of --code, --chat and --both.',
      'Files and conversation together: --both, or none of them.',
    )
  return given[0] ?? 'both'
}
