import type { CliContext, JsonFlag } from '../context.ts'
import { suggestionLine } from './text.ts'

export interface NextFlags {
  limit?: number
  verbose?: boolean
  null?: boolean
  mine?: boolean
}

interface SuggestFlags extends NextFlags {
  timeout?: number
}

export const run = async (
  context: CliContext,
  { timeout, ...flags }: SuggestFlags & JsonFlag,
  ...prefix: string[]
): Promise<void> => {
  const { connect, cwd, env } = context
  const client = connect(timeout === undefined ? {} : { start: false, timeoutMs: timeout })
  // Only the key of the shell knows in which one it was pressed.
  const session = env['REIN_SHELL_SESSION'] || undefined
  const { limit, mine } = flags
  const { out, process } = context
  const found = await client.suggest({ cwd: cwd(), prefix: prefix.join(' '), limit, mine, session })
  if (flags.json) return out.document(found)
  if (found.length === 0 && !flags.null) out.hint('Nothing is known here yet: rein memory show')
  for (const each of found) {
    if (flags.null) process.stdout.write(`${each.text}\0`)
    else out.line(suggestionLine(each, flags.verbose === true, out))
  }
}
