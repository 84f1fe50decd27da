import { join } from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import { ensurePrivateDir } from '../../../base/util/private-dir.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { shells } from '../../parameters.ts'
import { usualKey } from './key.ts'
import { shellScript } from './script.ts'

interface InitFlags {
  /** Empty: the usual key. */
  widget?: string
}

export const run = async (
  { out, paths }: CliContext,
  { widget, json }: InitFlags & JsonFlag,
  wanted: string,
): Promise<void> => {
  const shell = shells.find((each) => each === wanted)
  if (shell === undefined) throw new ReinError('usage', `There is nothing for "${wanted}".`, 'Give bash, zsh or fish.')
  const { state, shells: spool } = paths()
  for (const dir of [state, spool]) ensurePrivateDir(dir)
  const key = widget === undefined ? null : widget || usualKey
  const script = shellScript(shell, join(import.meta.dirname, '../bin'), spool, key)
  if (json) out.document({ shell, script })
  else out.line(script)
}
