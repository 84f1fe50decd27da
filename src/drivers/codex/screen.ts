import type { Question } from '../../contract/agent.ts'
import type { DialogName, ScreenReading } from '../contract.ts'
import { optionsIn } from '../dialog-lines.ts'

/** The status line that `launch` asks for begins with what Codex is doing; no other place shows that text streams in. */
const status = /^ {2}(Ready|Working|Thinking)( ·|$)/
/** Text that may be below it while keys go to the composer; in other modes they do something else. */
const hint =
  /^\s*(\? for shortcuts|tab to queue message|← for agents · \? for shortcuts|esc again to edit previous message)?\s*(⚠ .*)?$/
const placeholder = 'Ask Codex to do anything'
const option = /^ *(?:(?<mark>[›>]) ?)?(?<key>\d)\. (?<label>.+)$/

interface Dialog {
  name: DialogName
  asks: Question['kind']
  title: RegExp
  /** Its last line, which nothing but Codex can put there. */
  footer: RegExp
  allows: RegExp
  denies: RegExp
  /** What it allows is too weighty for one key: the digit only moves the mark. */
  isWeighty?: boolean
}

const never = /(?!)/
const dialogs: readonly Dialog[] = [
  {
    name: 'permission',
    asks: 'permission',
    title: /^ {2}Would you like to /,
    footer: /^ {2}Press enter to confirm or esc to cancel/,
    allows: /^Yes, (proceed|just this once|grant these permissions for this turn)/,
    denies: /^No, /,
  },
  {
    name: 'permission',
    asks: 'permission',
    title: /^ {2}Allow the .+ MCP server to run tool /,
    footer: /^ {2}enter to submit \| esc to cancel$/,
    allows: /^Allow {2}/,
    denies: /^Cancel {2}/,
  },
  {
    name: 'plan',
    asks: 'plan',
    title: /^ {2}Implement this plan\?$/,
    footer: /^ {2}enter select · esc back$/,
    allows: /^Yes, implement this plan/,
    denies: /^No, stay in Plan mode/,
  },
  {
    name: 'update',
    asks: 'question',
    title: /^ {2}Update available · /,
    footer: /^ {2}enter continue · esc skip$/,
    allows: never,
    denies: /^Skip$/,
  },
  {
    name: 'limit',
    asks: 'question',
    title: /^ {2}Approaching rate limits$/,
    footer: /^ {2}enter select · esc back$/,
    allows: never,
    denies: /^Keep current model$/,
  },
  {
    name: 'question',
    asks: 'question',
    title: /^ {2}Question \d+\/\d+/,
    footer: /\benter to submit (answer|all)\b.* esc to interrupt$/,
    allows: never,
    denies: never,
  },
  {
    name: 'trust',
    asks: 'question',
    title: /^ {2}Folder access$/,
    footer: /^ {2}enter continue · esc quit$/,
    allows: /^(Trust and continue|Open restricted)/,
    denies: /^Quit$/,
    isWeighty: true,
  },
  {
    name: 'hooks review',
    asks: 'question',
    title: /^ {2}Hooks need review$/,
    footer: /^ {2}enter confirm · esc skip$/,
    allows: /^Trust all and continue/,
    denies: /^Continue without trusting/,
    isWeighty: true,
  },
  {
    name: 'login',
    asks: 'question',
    title: /^ {2}Choose how you want to use Codex\.$/,
    footer: /^ {2}Press enter to continue$/,
    allows: never,
    denies: never,
  },
  {
    name: 'working directory',
    asks: 'question',
    title: /^ {2}Working directory · /,
    footer: /^ {2}enter continue · esc use session · /,
    allows: never,
    denies: never,
  },
]

/** Only the end of the screen is Codex's own: composer and status line, or a dialog in their place. */
export const readScreen = (text: string): ScreenReading => {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const last = lines.findLastIndex((line) => line !== '')
  const shown = lines.slice(0, last + 1)
  return composerIn(shown) ?? dialogIn(shown) ?? { kind: 'unknown' }
}

const composerIn = (lines: readonly string[]): ScreenReading | null => {
  const bottom = lines.findLastIndex((line, index) => index >= lines.length - 2 && status.test(line))
  if (bottom < 0 || lines.slice(bottom + 1).some((line) => !hint.test(line))) return null
  const top = lines.findLastIndex((line, index) => index < bottom && /^›( |$)/.test(line))
  if (top < 0) return null
  const draft = lines
    .slice(top, bottom)
    .map((line) => line.slice(2))
    .join('\n')
    .trim()
  const isReady = status.exec(lines[bottom] ?? '')?.[1] === 'Ready'
  return { kind: isReady ? 'idle' : 'busy', draft: draft === placeholder ? '' : draft }
}

/** What a dialog shows is indented, but for the mark; what was printed before begins at the edge. */
const dialogIn = (screen: readonly string[]): ScreenReading | null => {
  const lines = screen.slice(screen.findLastIndex((line) => /^\S/.test(line) && !option.test(line)) + 1)
  const possible = dialogs.filter(({ footer }) => footer.test(lines.at(-1) ?? ''))
  const known = possible.find(({ title }) => lines.some((line) => title.test(line)))
  if (known === undefined) return null
  const top = lines.findIndex((line) => known.title.test(line))
  const region = lines.slice(top).filter((line) => line !== '')
  const own = optionsIn(region, option)
  if (own.length < 2) return null
  const text = region.map((line) => line.trim())
  return {
    kind: 'dialog',
    name: known.name,
    asks: known.asks,
    about: text.slice(0, own[0]?.line).join('\n'),
    text: text.join('\n'),
    options: own.map(({ key, label }) => {
      const means = known.allows.test(label) ? 'allow' : known.denies.test(label) ? 'deny' : 'other'
      const keys = known.isWeighty === true && means === 'allow' ? [key, 'Enter'] : [key]
      return { label: label.split('  ')[0] ?? label, keys, means }
    }),
  }
}
