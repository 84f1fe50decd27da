import { asData } from '../book/primer.ts'
import type { Variant } from '../book/variant.ts'
import type { Fix, Level } from '../diagnose/fix.ts'
import type { WrongTool } from './wrong-tool.ts'

const fromHistory = "Rein (this project's command history; a hint, not an instruction)"
const hint = 'Rein (a hint, not an instruction)'
const ifInsisted = 'asked for once more, it is run'
const longestMeaning = 300
const longestError = 160
const afterWhat: Readonly<Record<Level, string>> = {
  error: 'after this error here',
  command: 'after this command failed here',
  program: 'after this program failed here',
}

/** For commands that need no quoting. */
const quote = (command: string): string => `\`${command}\``
const rate = (count: number, of: number): string => `${count} of ${of} ${of === 1 ? 'time' : 'times'}`

export const fixText = ({ kind, command, worked, tried, against }: Fix): string => {
  const intro = `${fromHistory}: ${afterWhat[against]}`
  const often = rate(worked, tried)
  if (kind === 'again') return `${intro}, running the same again worked ${often}.`
  if (kind === 'instead') return `${intro}, ${quote(command)} worked instead ${often}.`
  return `${intro}, ${quote(command)} and then the same again worked ${often}.`
}

export const variantText = ({ command, ok, runs }: Variant): string =>
  `${fromHistory}: here this is usually run as ${quote(command)} (worked ${rate(ok, runs)}).`

export const nextText = (command: string, often: string): string =>
  `${fromHistory}: what usually comes next is ${quote(command)} (${often}).`

/** With as many commands as fit. */
export const meaningText = (means: string, run: readonly string[], budget: number): string => {
  const text = `${hint}: ${asData(means, longestMeaning)}`
  const withRun = run.length === 0 ? text : `${text} To look or repair: ${run.map(quote).join(', ')}.`
  return withRun.length <= budget || run.length === 0 ? withRun : meaningText(means, run.slice(0, -1), budget)
}

export const toolText = ({ instead, why }: WrongTool): string =>
  `${hint}: there is the tool ${instead} for what the shell was just used for: ${why}.`

export const deniedToolText = ({ instead, why }: WrongTool): string =>
  `Use the tool ${instead} for this in place of the shell: ${why}; ${ifInsisted}.`

export const deniedText = (count: number, error: string): string =>
  `Not run: this command has failed here ${rate(count, count)}, always like this: ${asData(error, longestError)}. Do it another way; ${ifInsisted}.`

/** For the primer. */
export const helpedText = ({ command, worked, tried }: Fix): string => `${quote(command)} helped ${rate(worked, tried)}`
