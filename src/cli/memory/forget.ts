import { ReinError } from '../../contract/errors.ts'
import { isConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { forgettableText, forgottenText } from './text.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

interface ForgetFlags {
  since?: number
  all?: boolean
  dryRun?: boolean
  yes?: boolean
}

export const run = async (context: CliContext, flags: ForgetFlags & JsonFlag, pattern?: string): Promise<void> => {
  const { connect, out, cwd, env } = context
  const { since, all, dryRun: preview, yes, json } = flags
  if (pattern === undefined && since === undefined)
    throw new ReinError('usage', 'What is to be forgotten?', 'Give a pattern, --since TIME, or both.')
  const which = { cwd: cwd(), pattern, since, all }
  if (!preview && !yes) {
    const hint = 'Give --yes; --dry-run shows what would be forgotten.'
    if (json || !isInteractive(env)) throw new ReinError('refused', 'Nobody can be asked here.', hint)
    const found = await connect().forget({ ...which, preview: true })
    out.line(forgettableText(found, out))
    if (found.forgotten === 0) return
    if (!(await isConfirmed(context, 'Forget them for good?'))) return out.note('Nothing was forgotten.')
  }
  const forgotten = await connect().forget({ ...which, preview })
  if (json) out.document(forgotten)
  else out.line(preview ? forgettableText(forgotten, out) : forgottenText(forgotten))
}
