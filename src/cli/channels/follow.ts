import type { CliContext, JsonFlag } from '../context.ts'
import { formatTime, printable } from '../format.ts'
import { blockLines } from '../sessions/turn-text.ts'

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { after, json }: { after?: number } & JsonFlag,
  target?: string,
): Promise<void> => {
  for await (const one of connect().followTurns({ after, target, cwd: cwd() })) {
    if (json) out.record(one)
    else if ('gap' in one) out.line(out.style.red(`What came between ${one.gap.after} and ${one.gap.until} is gone.`))
    else {
      const head = `${formatTime(one.ts, now())} ${one.agent} #${one.seq} › ${printable(one.prompt ?? '')}`
      out.line([out.style.bold(head), ...one.turn.flatMap((block) => blockLines(block, out))].join('\n'))
    }
  }
}
