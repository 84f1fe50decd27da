import type { DialogName, ScreenOption, ScreenReading } from '../contract.ts'
import { lowestOf, optionsIn } from '../dialog-lines.ts'

/** At the very edge, where nothing that the agent prints can stand. */
const rule = /^─{20,}$/
const option = /^\s*(?:(?<mark>❯)\s*)?(?<key>\d)\. (?<label>.+)$/
/** A turning sign begins the footer while something runs. */
const busyFooter = /^ [●○◎◉] /
/** Then it takes a prompt like an idle one. */
const backgroundFooter = /^ [●○◎◉] Waiting for background /
const loginLine = /^Please use \/login to sign in/

const dialogs: readonly { name: DialogName; asks: 'permission' | 'question' | 'plan'; pattern: RegExp }[] = [
  { name: 'trust', asks: 'question', pattern: /Do you trust the files in this folder\?/ },
  { name: 'permission', asks: 'permission', pattern: /Do you want to / },
]

/** Everything above its options is, or may be, the agent's own text. */
const planOption = /^Accept plan and continue in /
const plan = { name: 'plan', asks: 'plan' } as const

/** What Copilot's screen says. Only the input box or the box of a dialog is looked at, each the last thing on the screen. */
export const readScreen = (text: string): ScreenReading => {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
  if (lines.at(-1)?.startsWith('╰')) return dialogIn(lines)
  const bottom = lines.findLastIndex((line) => rule.test(line))
  const top = lines.findLastIndex((line, index) => index < bottom && rule.test(line))
  if (top < 0) return { kind: 'unknown' }
  const inside = lines.slice(top + 1, bottom)
  if (inside[0] === ' Copilot needs information.') return questionIn(inside)
  if (!inside[0]?.startsWith('❯') || lines.length > bottom + 2) return { kind: 'unknown' }
  if (lines.slice(0, top).some((line) => loginLine.test(line))) return login
  const footer = lines[bottom + 1] ?? ''
  const isBusy = busyFooter.test(footer) && !backgroundFooter.test(footer)
  return { kind: isBusy ? 'busy' : 'idle', draft: inside.join('\n').replace('❯', '').trim() }
}

const login: ScreenReading = {
  kind: 'dialog',
  name: 'login',
  asks: 'question',
  about: 'Please use /login to sign in to use Copilot',
  text: 'Please use /login to sign in to use Copilot',
  options: [],
}

/** Escape says no everywhere; the last number of a permission only opens a field for the reason. */
const cancel = (label: string): ScreenOption => ({ label, keys: ['Escape'], means: 'deny' })

const dialogIn = (lines: readonly string[]): ScreenReading => {
  const start = lines.findLastIndex((line) => line.startsWith('╭'))
  const region = lines.slice(start + 1, -1).map((line) => line.replace(/^│(.*)│$/, '$1').trimEnd())
  const own = optionsIn(region, option)
  const above = region.slice(0, own[0]?.line)
  const known = own.some(({ label }) => planOption.test(label)) ? plan : lowestOf(dialogs, above)
  const [about, text] = [joinFilled(above), joinFilled(region)]
  if (known === null) return { kind: 'dialog', name: 'unknown dialog', asks: 'question', about, text, options: [] }
  const options = own.map(({ key, label }): ScreenOption => {
    if (label.includes('(Esc')) return cancel(label)
    // A plan is accepted without letting everything run from then on.
    const isAllowed = /^Yes$|^Accept plan and continue in Interactive/.test(label)
    return { label, keys: [key], means: isAllowed ? 'allow' : 'other' }
  })
  if (options.every(({ means }) => means !== 'deny')) options.push(cancel('Cancel'))
  return { kind: 'dialog', name: known.name, asks: known.asks, about, text, options }
}

const joinFilled = (lines: readonly string[]): string => lines.filter((line) => line.trim() !== '').join('\n')

/** One field with a list: the keys go from the line that is marked to the one that is wanted. */
const questionIn = (inside: readonly string[]): ScreenReading => {
  const marked = inside.findIndex((line) => line.startsWith(' ❯ '))
  const list = inside.flatMap((line, index) => (/^ (❯| ) \S/.test(line) ? [{ index, label: line.slice(3) }] : []))
  const options = list.map(({ index, label }): ScreenOption => {
    const steps = Array<string>(Math.abs(index - marked)).fill(index < marked ? 'Up' : 'Down')
    return { label, keys: [...steps, 'Enter'], means: 'other' }
  })
  const about = joinFilled(inside.slice(0, list[0]?.index))
  const text = joinFilled(inside)
  return { kind: 'dialog', name: 'question', asks: 'question', about, text, options: [...options, cancel('Cancel')] }
}
