import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../../base/util/shell.ts'
import { keySequence } from './key.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** The script that a shell sources: `rein-shell.SHELL` with its spool directory, and with a key the widget. */
export const shellScript = (shell: Shell, programs: string, spool: string, key: string | null = null): string => {
  const read = (name: string): string => readFileSync(join(programs, `${name}.${shell}`), 'utf8')
  // fish takes backslashes in quotes for escapes.
  const path = shell === 'fish' ? quoted(spool.replaceAll('\\', '\\\\')) : quoted(spool)
  const script = read('rein-shell').replace("'@SPOOL@'", () => path)
  if (key === null) return script
  return script + read('rein-widget').replace("'@KEY@'", () => keySequence(shell, key))
}
