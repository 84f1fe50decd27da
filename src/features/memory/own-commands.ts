import type { Command } from '../../contract/command.ts'
import type { LineCache } from '../../base/shell/line-cache.ts'

const runner = /(^|[;&]\s*)(?:\S*\/)?rein\s+memory\s+diagnose(?:\s+--json)?\s+--\s+/

/**
 * The command to learn: null for Rein's own, which are no part of anyone's work. A command run by `rein memory diagnose` counts
 * as if it had been run without; in a person's shell, `rein memory diagnose` has reported it itself.
 */
export const toLearn = (command: Command, lines: LineCache): Command | null => {
  if (!command.command.includes('rein')) return command
  const text = command.command.replace(runner, '$1')
  const isTold = text !== command.command && command.source === 'shell'
  return isTold || lines.read(text).program === 'rein' ? null : { ...command, command: text }
}
