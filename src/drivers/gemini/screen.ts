import type { DialogName, ScreenOption, ScreenReading } from '../contract.ts'
import { lowestOf, optionsIn } from '../dialog-lines.ts'
import { resetTime } from '../reset-time.ts'

/** From the first column on: what the agent prints is indented or framed. */
const rule = /^─{20,}$/
/** The bars above and below the input, where the terminal has enough colours for them. */
const bar = /^[▄▀]{20,}$/
/** `*` where everything is approved; with `!` the text would be a command for a shell. */
const input = /^ [>*] (.*)$/
const placeholder = '  Type your message or @path/to/file'
const spinner = /^ [\u2800-\u28ff] /
const footer = /^ workspace \(/

const frameTop = /^ ?╭─+╮$/
const frameBottom = /^ ?╰─+╯$/
/** A warning at the start may stand below a dialog. */
const notice = /^[⚠ℹ] /
const framed = /^ ?│ (.*)│$/
const option = /^ *(?<mark>●)? *(?<key>\d)\. +(?<label>.+)$/

const limit = /^Usage limit reached for /m

const dialogs: readonly { name: DialogName; asks: 'permission' | 'question' | 'plan'; pattern: RegExp }[] = [
  { name: 'trust', asks: 'question', pattern: /^Do you trust the files in this folder\?/ },
  { name: 'login', asks: 'question', pattern: /^ *How would you like to authenticate/ },
  { name: 'rewind', asks: 'question', pattern: /^Confirm Rewind/ },
  { name: 'question', asks: 'question', pattern: /^Enter to select · / },
  {
    name: 'permission',
    asks: 'permission',
    pattern: /^(Allow execution of|Apply this change\?|Do you want to proceed\?)/,
  },
]

/** Below it stands what the agent wrote, so that only its title tells. */
const planTitle = /^Ready to start implementation\?/
const plan = { name: 'plan', asks: 'plan' } as const

/** What Gemini's screen says: the input below the last rule, or, in its place, the frame of a dialog. */
export const readScreen = (screen: string, now = Date.now()): ScreenReading => {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  const top = lines.findLastIndex((line) => rule.test(line))
  const draft = top < 0 ? null : draftIn(lines.slice(top + 1))
  if (draft === null) return dialogIn(lines, now)
  const above = lines.slice(0, top)
  if (above.slice(-3).some((line) => spinner.test(line))) return { kind: 'busy', draft }
  // The input is drawn before anything else, and loses what is typed then.
  return above.every((line) => line === '' || line.trim() === '? for shortcuts')
    ? { kind: 'unknown' }
    : { kind: 'idle', draft }
}

/** First the mode, then the input and nothing below it but bars and the footer. */
const draftIn = (lines: readonly string[]): string | null => {
  const start = lines.findIndex((line) => input.test(line))
  if (start < 0 || start > 2) return null
  const [, first = ''] = input.exec(lines[start] ?? '') ?? []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line === '' || bar.test(line) || footer.test(line))
  if (first === placeholder) return ''
  return [first, ...rest.slice(0, end < 0 ? rest.length : end)].map((line) => line.trim()).join('\n')
}

const dialogIn = (lines: readonly string[], now: number): ScreenReading => {
  const bottom = lines.findLastIndex((line) => line !== '' && !notice.test(line))
  const top = lines.findLastIndex((line, index) => index < bottom && frameTop.test(line))
  if (top < 0 || !frameBottom.test(lines[bottom] ?? '')) return { kind: 'unknown' }
  const inside = lines.slice(top + 1, bottom).map((line) => framed.exec(line)?.[1]?.trimEnd() ?? '')
  const text = inside.filter((line) => line !== '').join('\n')
  const own = optionsIn(inside, option)
  if (own.length < 2) return { kind: 'unknown' }
  const above = inside.slice(0, own[0]?.line)
  const options = own.map(({ key, label }): ScreenOption => ({ label, keys: [key], means: meaning(label) }))
  if (inside.some((line) => line.includes('Esc to cancel')))
    options.push({ label: 'Esc to cancel', keys: ['Escape'], means: 'deny' })
  const close = options.find((one) => one.label === 'Stop')?.keys ?? []
  if (limit.test(text) && close.length > 0) return { kind: 'limited', until: resetTime(text, now), close }
  const lowest = inside.findLast((line) => line !== '') ?? ''
  const known = planTitle.test(text) ? plan : lowestOf(dialogs, [...above, lowest])
  return {
    kind: 'dialog',
    name: known?.name ?? 'unknown dialog',
    asks: known?.asks ?? 'question',
    about: above.filter((line) => line !== '').join('\n'),
    text,
    options,
  }
}

/** What would allow more than is asked is neither yes nor no. */
const meaning = (label: string): ScreenOption['means'] => {
  if (/^(Allow once|Yes, manually accept edits|Trust folder|Rewind conversation)/.test(label)) return 'allow'
  return /^(No\b|Don't trust|Do nothing)/.test(label) ? 'deny' : 'other'
}
