import type { CliContext, JsonFlag } from '../context.ts'
import { sessionText, turnText } from './text.ts'

export const run = async (context: CliContext, flags: JsonFlag, target: string, turn?: string): Promise<void> =>
  turn === undefined ? showSession(context, flags, target) : showTurn(context, flags, target, turn)

const showSession = async (
  { connect, out, cwd, now }: CliContext,
  { json }: JsonFlag,
  target: string,
): Promise<void> => {
  const detail = await connect().session({ cwd: cwd(), target })
  if (json) out.document(detail)
  else out.line(sessionText(detail, now(), out.style))
}

const showTurn = async (
  { connect, out, cwd, now }: CliContext,
  { json }: JsonFlag,
  target: string,
  turn: string,
): Promise<void> => {
  const detail = await connect().sessionTurn({ cwd: cwd(), target, turn })
  if (json) out.document(detail)
  else out.line(turnText(detail, now(), out))
}
