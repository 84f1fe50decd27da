import type { CliContext, JsonFlag } from '../context.ts'
import { pausedText } from './text.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag, room: string): Promise<void> => {
  const unpaused = await connect().pauseRoom({ cwd: cwd(), room, isPaused: false })
  if (json) out.document(unpaused)
  else out.line(pausedText(unpaused, now()))
}
