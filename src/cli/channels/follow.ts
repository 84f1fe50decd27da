import type { TurnGap, TurnLine } from '../../contract/turn.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { formatTime, printable } from '../format.ts'
import type { Style } from '../output.ts'
import { blockLines } from '../sessions/turn-text.ts'

export interface FollowFlags {
  after?: number
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { after, json }: FollowFlags & JsonFlag,
  target?: string,
): Promise<void> => {
  for await (const one of connect().followTurns({ after, target, cwd: cwd() })) {
    if (json) out.record(one)
    else for (const line of linesOf(one, now(), out.style)) out.line(line)
  }
}

const linesOf = (one: TurnLine | TurnGap, now: number, style: Style): string[] => {
  if ('gap' in one) return [style.red(`What came between ${one.gap.after} and ${one.gap.until} is gone.`)]
  const head = `${formatTime(one.ts, now)} ${one.agent} #${one.seq} › ${printable(one.prompt ?? '')}`
  return [style.bold(head), ...one.turn.flatMap((block) => blockLines(block, style))]
}
