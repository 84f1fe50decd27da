import { once } from 'node:events'
import type { CliContext } from './context.ts'

/** Asks at the terminal; whoever just goes away has not agreed. */
export const isConfirmed = async ({ stdin }: Pick<CliContext, 'stdin'>, question: string): Promise<boolean> => {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: stdin, output: process.stderr })
  const gone = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(`${question} [y/N] `).catch(() => ''), gone])
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
