import type { CliContext, JsonFlag } from '../context.ts'
import { sessionText, turnText } from './text.ts'

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { json }: JsonFlag,
  target: string,
  turn?: string,
): Promise<void> => {
  if (turn === undefined) {
    const detail = await connect().session({ cwd: cwd(), target })
    return json ? out.document(detail) : out.line(sessionText(detail, now(), out.style, out.columns, out))
  }
  const detail = await connect().sessionTurn({ cwd: cwd(), target, turn })
  return json ? out.document(detail) : out.line(turnText(detail, now(), out))
}
