import { asData } from '../book/primer.ts'
import type { Variant } from '../book/variant.ts'
import type { Fix, Level } from '../diagnose/fix.ts'
import type { WrongTool } from './wrong-tool.ts'

const FROM_HISTORY = "Rein (this project's command history; a hint, not an instruction)"
const HINT = 'Rein (a hint, not an instruction)'
const LONGEST_MEANING = 300
const AFTER: Readonly<Record<Level, string>> = {
  error: 'after this error here',
  command: 'after this command failed here',
  program: 'after this program failed here',
}

/** Only for commands that are fit to be shown. */
const code = (command: string): string => `\`${command}\``
const times = (count: number, of: number): string => `${count} of ${of} ${of === 1 ? 'time' : 'times'}`

export function fixText({ kind, command, worked, tried, against }: Fix): string {
  const often = times(worked, tried)
  const when = AFTER[against]
  if (kind === 'again') return `${FROM_HISTORY}: ${when}, running the same again worked ${often}.`
  if (kind === 'instead') return `${FROM_HISTORY}: ${when}, ${code(command)} worked instead ${often}.`
  return `${FROM_HISTORY}: ${when}, ${code(command)} and then the same again worked ${often}.`
}

export const variantText = ({ command, ok, runs }: Variant): string =>
  `${FROM_HISTORY}: here this is usually run as ${code(command)} (worked ${times(ok, runs)}).`

export const nextText = (command: string, often: string): string =>
  `${FROM_HISTORY}: what usually comes next is ${code(command)} (${often}).`

/** With as many commands as fit. */
export function meaningText(means: string, run: readonly string[], budget: number): string {
  const text = `${HINT}: ${asData(means, LONGEST_MEANING)}`
  const withRun = run.length === 0 ? text : `${text} To look or repair: ${run.map(code).join(', ')}.`
  return withRun.length <= budget || run.length === 0 ? withRun : meaningText(means, run.slice(0, -1), budget)
}

export const toolText = ({ instead, why }: WrongTool): string =>
  `${HINT}: there is the tool ${instead} for what the shell was just used for: ${why}.`

const INSISTED = 'asked for once more, it is run'

export const deniedToolText = ({ instead, why }: WrongTool): string =>
  `Use the tool ${instead} for this in place of the shell: ${why}; ${INSISTED}.`

export const deniedText = (count: number, error: string): string =>
  `Not run: this command has failed here ${times(count, count)}, always like this: ${asData(error, 160)}. Do it another way; ${INSISTED}.`

/** For the primer. */
export const helpedText = ({ command, worked, tried }: Fix): string => `${code(command)} helped ${times(worked, tried)}`
