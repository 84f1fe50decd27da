import { type Application, proposeCompletions } from '@stricli/core'
import type { CliContext } from './context.ts'

/** Prints what may stand where the last word is: one candidate and its description a line. Never fails. */
export const complete = async (app: Application<CliContext>, words: string[], context: CliContext): Promise<void> => {
  const partial = words.at(-1) ?? ''
  const asked = words[0] === 'help' && words.length > 1 ? words.slice(1) : words
  const proposals = await proposeCompletions(app, asked, context).catch(() => [])
  const wanted = proposals.filter(({ kind }) => kind !== 'argument:flag' || partial.startsWith('-'))
  for (const { completion, brief } of wanted) context.out.line(`${completion}\t${brief}`)
}
