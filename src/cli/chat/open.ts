import { ReinError } from '../../contract/errors.ts'
import { ChatView } from '../tui/chat/chat-view.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { isInteractive, untilAskedToEnd } from '../tui/terminal/terminal.ts'
import { run as list } from './list.ts'

/** A view for people; programs get the list of rooms, or follow with `--json`. */
export const run = async (context: CliContext, { json }: JsonFlag, room?: string): Promise<void> => {
  const { connect, out, cwd, env } = context
  if (json) {
    for await (const change of connect().followRooms({ cwd: cwd(), room }, untilAskedToEnd())) out.record(change)
    return
  }
  if (isInteractive(env)) return new ChatView(context, room).run()
  if (room !== undefined) throw new ReinError('usage', 'This needs a terminal.', `Without one: rein chat read ${room}`)
  return list(context, {})
}
