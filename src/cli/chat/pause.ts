import type { CliContext, JsonFlag } from '../context.ts'
import { pausedText } from './text.ts'

export interface PauseFlags {
  for?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  flags: PauseFlags & JsonFlag,
  room: string,
): Promise<void> => {
  const paused = await connect().pauseRoom({ cwd: cwd(), room, isPaused: true, forMs: flags.for })
  if (flags.json) out.document(paused)
  else out.line(pausedText(paused, now()))
}
