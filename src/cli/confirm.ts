import { once } from 'node:events'
import { ReinError } from '../contract/errors.ts'
import type { CliContext, JsonFlag } from './context.ts'
import { isInteractive } from './tui/terminal/terminal.ts'

/** Asks at the terminal; closing the input is no agreement. */
export const isConfirmed = async ({ stdin }: Pick<CliContext, 'stdin'>, question: string): Promise<boolean> => {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: stdin, output: process.stderr })
  const gone = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(`${question} [y/N] `).catch(() => ''), gone])
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** For a command that must not go on without an answer: a program is refused, with a hint which flag it needs. */
export const refuseUnasked = ({ env }: Pick<CliContext, 'env'>, { json }: JsonFlag, hint: string): void => {
  if (json || !isInteractive(env)) throw new ReinError('refused', 'Nobody can be asked here.', hint)
}

/** Asks where somebody can be asked. */
export const requireConfirmed = async (
  context: CliContext,
  flags: JsonFlag,
  question: string,
  hint: string,
): Promise<boolean> => {
  refuseUnasked(context, flags, hint)
  return isConfirmed(context, question)
}
