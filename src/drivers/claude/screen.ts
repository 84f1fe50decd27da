import type { DialogName, ScreenOption, ScreenReading } from '../contract.ts'
import { lowestOf, optionsIn } from '../dialog-lines.ts'
import { resetTime } from '../reset-time.ts'
import { shownOptions } from '../shown-dialog.ts'

const rule = /^[─━]{20,}/
/** What begins a dialog that lies over the conversation. */
const overlayEdge = /^▔{20,}/
const option = /^\s*(?:(?<mark>❯)\s*)?(?<key>\d)\. (?<label>.+)$/
/** In the footer, but not while there is a draft. */
const busyFooter = 'esc to interrupt'
/** Above the input box, at the edge, where nothing the agent prints can stand: a turning sign and what it does. */
const busyLine = /^[^\s●⎿❯>∴╭│╰] \S.*…(?:$| \()/
const loggedOut = /(?:Not logged in|Missing API key) · [Rr]un \/login/
const limitOption = /^ *(?:❯ )?\d\. Stop and wait for limit to reset$/

const dialogs: readonly { name: DialogName; kind: 'permission' | 'question' | 'plan'; pattern: RegExp }[] = [
  { name: 'trust', kind: 'question', pattern: /one you trust\?|Do you trust the files/ },
  { name: 'API key', kind: 'question', pattern: /Do you want to use this API key\?/ },
  { name: 'bypass permissions', kind: 'question', pattern: /Bypass Permissions mode/i },
  { name: 'auto mode', kind: 'question', pattern: /^ *Auto mode can't check actions/ },
  { name: 'MCP server', kind: 'question', pattern: /MCP servers? found/ },
  { name: 'settings error', kind: 'question', pattern: /Settings Error|values listed above were skipped/ },
  { name: 'login', kind: 'question', pattern: /Select login method:/ },
  { name: 'plan', kind: 'plan', pattern: /Would you like to proceed\?|Exit plan mode\?/ },
  { name: 'question', kind: 'question', pattern: /Enter to select/ },
  { name: 'permission', kind: 'permission', pattern: /Do you want to /i },
]

/**
 * What Claude Code's screen says. Only the part below the last two rules is looked at: above it stands what the agent
 * printed, which may be anything. With the input box there, no dialog is open.
 */
export const readScreen = (text: string, now = Date.now()): ScreenReading => {
  const lines = text.trimEnd().split('\n')
  const composer = composerOf(lines)
  if (composer === null) return limitIn(lines, now) ?? dialogIn(lines)
  if (composer.footer.some((line) => loggedOut.test(line))) return login
  // It stands below everything that the agent has said.
  const isBusy =
    composer.footer.some((line) => line.includes(busyFooter)) ||
    composer.above
      .slice(composer.above.findLastIndex((line) => line.startsWith('●')) + 1)
      .some((line) => busyLine.test(line))
  return { kind: isBusy ? 'busy' : 'idle', draft: composer.draft }
}

/** Whatever it is told, it will only answer that. */
const login: ScreenReading = {
  kind: 'dialog',
  name: 'login',
  asks: 'question',
  about: 'Not logged in',
  text: 'Not logged in',
  options: [],
}

/** Its dialog names no time; the message above it does, and is only believed together with the dialog. */
const limitIn = (lines: readonly string[], now: number): ScreenReading | null => {
  const [title, ...rest] = dialogRegion(lines).filter((line) => line.trim() !== '')
  if (title?.trim() !== 'What do you want to do?' || !rest.some((line) => limitOption.test(line))) return null
  const message = lines.findLast((line) => /^ {2}⎿\s+\S.* · resets /.test(line)) ?? ''
  return { kind: 'limited', until: resetTime(message, now), close: ['Escape'] }
}

/** A list of commands may stand at the edge; what the shell says after the end, too. */
const notFooter = /^[^\s/]|^ {2}Showing detailed transcript/

interface Composer {
  above: string[]
  draft: string
  footer: string[]
}

/** Its first line; the others of the footer say something else from case to case. */
const footerStart = /^ {2}(?:⏵⏵|⏸|\? for shortcuts)/

/** The lower rule of the input box. After a resize it is now and then not drawn again: then it is the line above the footer. */
const lowerRule = (lines: readonly string[]): number => {
  const last = lines.findLastIndex((line) => rule.test(line))
  const footer = lines.findLastIndex((line) => footerStart.test(line))
  const isTorn = last >= 0 && lines[last + 1]?.startsWith('❯') === true && lines[footer - 1]?.trim() === ''
  return isTorn && footer > last + 2 ? footer - 1 : last
}

/** The input box: a line with `❯` between two rules, followed by nothing but the footer. */
const composerOf = (lines: readonly string[]): Composer | null => {
  const bottom = lowerRule(lines)
  const top = lines.findLastIndex((line, index) => index < bottom && rule.test(line))
  const inside = lines.slice(top + 1, bottom)
  if (bottom < 0 || top < 0 || !inside[0]?.startsWith('❯')) return null
  if (inside.slice(1).some((line) => /^\S/.test(line))) return null
  const footer = lines.slice(bottom + 1)
  if (footer.some((line) => option.test(line) || notFooter.test(line))) return null
  const draft = inside.map((line) => line.slice(2)).join('\n')
  return { above: lines.slice(0, top), draft: draft.trim(), footer }
}

/** A yes that is also a yes to what comes later is for a person to choose. */
const meansMore = /bypass permissions|auto mode|auto-accept|always allow|all edits|don.t ask again/i
const writable = /^(Type something|Tell Claude what to change)/

const meaning = (label: string): ScreenOption['means'] => {
  if (/^Yes\b/.test(label)) return meansMore.test(label) ? 'other' : 'allow'
  return /^No\b/.test(label) ? 'deny' : 'other'
}

const dialogIn = (lines: readonly string[]): ScreenReading => {
  const shown = dialogRegion(lines)
  const region = shown.filter((line) => line.trim() !== '')
  const own = optionsIn(region, option)
  if (own.length < 2) return unnumberedIn(shown)
  const above = region.slice(0, own[0]?.line)
  const options = own.map(
    ({ key, label }): ScreenOption => ({
      label,
      keys: [key],
      means: meaning(label),
      ...(writable.test(label) ? { takesText: true } : {}),
    }),
  )
  const known = lowestOf(dialogs, [...above, region.at(-1) ?? ''])
  // In a narrow terminal a label may be drawn over another; Escape is a no as well.
  const needsNo = known?.name === 'permission' && options.every(({ means }) => means !== 'deny')
  if (needsNo) options.push({ label: 'Cancel', keys: ['Escape'], means: 'deny' })
  return {
    kind: 'dialog',
    name: known?.name ?? 'unknown dialog',
    asks: known?.kind ?? 'question',
    about: above.join('\n'),
    text: region.join('\n'),
    options,
  }
}

/** Newer ones number only what a digit chooses: the others are a list with a mark, or name their keys in the last line. */
const unnumberedIn = (lines: readonly string[]): ScreenReading => {
  const { options, line } = shownOptions(lines)
  const above = lines.slice(0, line).filter((one) => one.trim() !== '')
  const known = lowestOf(dialogs, above)
  // What is not known by its words may be anything: the host looks whether it stays.
  if (known === null || options.length < 2) return { kind: 'unknown' }
  // Staying in auto mode makes it ask; whatever else it offers lets more run.
  return {
    kind: 'dialog',
    name: known.name,
    asks: known.kind,
    about: above.join('\n'),
    text: lines.filter((one) => one.trim() !== '').join('\n'),
    options:
      known.name === 'auto mode'
        ? options.map((one) => (one.label.startsWith('stay in auto mode') ? { ...one, means: 'allow' } : one))
        : options,
  }
}

/** Below the last rule, or inside the last frame; a question has one more rule between its options and its last line. */
const dialogRegion = (lines: readonly string[]): string[] => {
  const frame = lines.findLastIndex((line) => line.startsWith('╭'))
  const last = lines.findLastIndex((line) => rule.test(line) || overlayEdge.test(line))
  if (frame > last) return lines.slice(frame + 1).map((line) => line.replace(/^│(.*)│$/, '$1'))
  const isQuestion = (lines.at(-1) ?? '').startsWith('Enter to select')
  const before = lines.findLastIndex((line, index) => index < last && rule.test(line))
  const below = lines.slice(last + 1).filter((line) => option.test(line))
  return lines.slice((isQuestion && below.length < 2 ? before : last) + 1)
}
