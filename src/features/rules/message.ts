import { escapeUnsafe } from '../../base/util/visible.ts'
import { pathOf } from './texts.ts'
import type { Finding, LoadedRule } from './types.ts'

const captureMax = 500
const messageMax = 4000
const placesTold = 3

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)

/** `{{ $1 }}` and `{{ $name }}`; other names stay as they are. Captured text is never looked at for further captures. */
export const interpolate = (template: string, captures: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{\s*\$(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(captures, name) ? (captures[name] ?? '') : whole,
  )

export const messageOf = ({ rule }: LoadedRule, captures: Readonly<Record<string, string>>): string => {
  const template = rule.message ?? rule.description ?? 'This is not wanted here.'
  const short = Object.fromEntries(Object.entries(captures).map(([name, text]) => [name, cut(text, captureMax)]))
  return cut(escapeUnsafe(interpolate(template, short)).trim(), messageMax)
}

const verbs: Record<Finding['action'], string> = {
  block: 'forbids this',
  ask: 'wants a person to decide about this',
  rewrite: 'has changed this call',
  warn: 'warns',
  context: 'says',
  log: 'has noted this',
}

const rulesNamed = 5

/** The message for a call that could not be read, without the messages of the rules. */
export const doubtMessage = (action: Finding['action'], names: readonly string[], text: string): string => {
  const more = names.length > rulesNamed ? ` and ${names.length - rulesNamed} more` : ''
  const what = action === 'block' ? 'This was not run' : 'A person is to decide about this'
  const told = `${what}: ${text}\nWhat may forbid it: ${names.slice(0, rulesNamed).join(', ')}${more}.`
  return cut(escapeUnsafe(told), messageMax)
}

/** All that the model is told of one finding: who says so, what is wrong, where, and what to do. */
export const toldOf = (finding: Finding): string => {
  const { rule, action, message, places, isDoubt } = finding
  if (isDoubt) return message
  const file = pathOf(finding.subject)
  const where = places.slice(0, placesTold).map(({ target, line, excerpt }) => {
    const place = file === null || target === 'path' ? target : `${escapeUnsafe(file)}:${line}`
    return `${place} | ${escapeUnsafe(excerpt)}`
  })
  const more = places.length > placesTold ? [`… and ${places.length - placesTold} more`] : []
  const advice = action === 'block' ? ['Do it as said here, then try again.'] : []
  return [`The rule ${rule.rule.name} ${verbs[action]}: ${message}`, ...where, ...more, ...advice].join('\n')
}

/** Sorts certain findings before doubts, and blocks before questions; equal ones keep their order. */
export const byWeight = (one: Finding, other: Finding): number =>
  Number(one.isDoubt) - Number(other.isDoubt) || Number(one.action === 'ask') - Number(other.action === 'ask')
