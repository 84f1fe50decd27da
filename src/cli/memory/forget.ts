import { ReinError } from '../../contract/errors.ts'
import { isConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { forgettableText, forgottenText } from './text.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

export interface ForgetFlags {
  since?: number
  all?: boolean
  preview?: boolean
  yes?: boolean
}

export const run = async (
  context: CliContext,
  { since, all, preview, yes, json }: ForgetFlags & JsonFlag,
  pattern?: string,
): Promise<void> => {
  const { connect, out, cwd } = context
  if (pattern === undefined && since === undefined)
    throw new ReinError('usage', 'What is to be forgotten?', 'Give a pattern, --since TIME, or both.')
  const which = { cwd: cwd(), pattern, since, all }
  if (!preview && !yes && !(await isWanted(context, which, json === true))) return
  const forgotten = await connect().forget({ ...which, preview })
  if (json) out.document(forgotten)
  else out.line(preview ? forgettableText(forgotten, out) : forgottenText(forgotten))
}

type Which = Parameters<ReturnType<CliContext['connect']>['forget']>[0]

/** It cannot be taken back, so somebody has to say so. */
const isWanted = async ({ connect, out, env, stdin }: CliContext, which: Which, json: boolean): Promise<boolean> => {
  if (json || !isInteractive(env))
    throw new ReinError('refused', 'Nobody can be asked here.', 'Give --yes; --preview shows what would be forgotten.')
  const found = await connect().forget({ ...which, preview: true })
  out.line(forgettableText(found, out))
  if (found.forgotten === 0) return false
  const isYes = await isConfirmed({ stdin }, 'Forget them for good?')
  if (!isYes) out.note('Nothing was forgotten.')
  return isYes
}
