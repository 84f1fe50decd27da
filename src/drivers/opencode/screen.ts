import type { ScreenOption, ScreenReading } from '../contract.ts'
import { countedIn } from '../dialog-lines.ts'

/** The lower edge of the input box. */
const edge = /^( *)╹▀{20,}/
/** While it waits to try again, its reason stands in between. */
const busyFooter = /^\s*[⬝■]+\s+(?:\S.* \[retrying .*\]\s+)?esc (?:again to )?interrupt/
const idleFooter = /ctrl\+p commands/
const homeFooter = /^\s*tab agents\s+ctrl\+p commands\s*$/
const logo = /^[▄█▀ ]*$/
/** The title of a palette or list that lies over everything; keys would go there. */
const overlay = /^\s+\S.* {4}esc\s*$/
const numbered = /^\s*(?<key>\d)\. (?<label>.+)$/
const placeholder = /^Ask anything…/

/**
 * What opencode's screen says. Only its lowest block counts, the input box or what stands in its place: above it is what
 * the agent printed, which may be anything. At the right may stand a column about the session.
 */
export const readScreen = (text: string): ScreenReading => {
  const lines = text.trimEnd().split('\n')
  const bottom = lines.findLastIndex((line) => edge.test(line))
  const isInSession = bottom >= 0 && bottom === lines.length - 2
  if (isInSession) return composer(lines, bottom, 'session')
  const isAtHome = bottom >= 0 && homeFooter.test(lines[bottom + 1] ?? '')
  return isAtHome ? composer(lines, bottom, 'home') : dialog(lines)
}

const composer = (lines: readonly string[], bottom: number, view: 'session' | 'home'): ScreenReading => {
  const width = edge.exec(lines[bottom] ?? '')?.[0].length ?? 0
  const own = lines.slice(0, bottom).map((line) => line.slice(0, width))
  const box = blockAtEnd(own)
  const above = own.slice(0, own.length - box.length)
  const isKnown = view === 'home' ? above.every((line) => logo.test(line)) : !above.some((line) => overlay.test(line))
  const footer = lines[bottom + 1] ?? ''
  const isBusy = busyFooter.test(footer)
  if (!isKnown || box.length < 3 || !(isBusy || idleFooter.test(footer))) return { kind: 'unknown' }
  // The last line of the box names the agent and its model.
  const draft = box.slice(0, -1).join('\n').trim()
  return { kind: isBusy ? 'busy' : 'idle', draft: placeholder.test(draft) ? '' : draft }
}

/** The lines at the end that have one bar at their left, without it. */
const blockAtEnd = (lines: readonly string[]): string[] => {
  const column = lines.at(-1)?.indexOf('┃') ?? -1
  if (column < 0) return []
  const before = lines.findLastIndex((line) => line.indexOf('┃') !== column || line.slice(0, column).trim() !== '')
  return lines.slice(before + 1).map((line) => line.slice(column + 1).trimEnd())
}

const dialog = (lines: readonly string[]): ScreenReading => {
  const sidebar = lines.at(-1)?.indexOf('• OpenCode') ?? -1
  const block = blockAtEnd(lines.map((line) => (sidebar < 0 ? line : line.slice(0, sidebar))))
  const words = block.map((line) => line.trim()).filter((line) => line !== '')
  const last = words.at(-1) ?? ''
  const text = words.slice(0, -1).join('\n')
  if (/^Allow once\s+Allow always\s+Reject\b/.test(last))
    return { kind: 'dialog', name: 'permission', asks: 'permission', about: text, text, options: permission }
  if (/^Confirm\s+Cancel\b/.test(last))
    return { kind: 'dialog', name: 'always allow', asks: 'question', about: text, text, options: confirmation }
  if (/enter (?:submit|confirm|toggle)\s+esc dismiss$/.test(last)) {
    // It only colours the one that is chosen.
    const own = countedIn(block, numbered)
    const above = block.slice(0, own[0]?.line).map((line) => line.trim())
    const about = above.filter((line) => line !== '').join('\n')
    const answers = own.map(({ key, label }): ScreenOption => ({ label, keys: [key], means: 'other' }))
    return { kind: 'dialog', name: 'question', asks: 'question', about, text, options: [...answers, dismiss] }
  }
  return { kind: 'unknown' }
}

/** The first is chosen when it opens; whoever moved on from there gets less by Enter, never more. */
const permission: ScreenOption[] = [
  { label: 'Allow once', keys: ['Enter'], means: 'allow' },
  { label: 'Allow always', keys: ['Right', 'Enter'], means: 'other' },
  { label: 'Reject', keys: ['Escape'], means: 'deny' },
]

const confirmation: ScreenOption[] = [
  { label: 'Confirm', keys: ['Enter'], means: 'other' },
  { label: 'Cancel', keys: ['Escape'], means: 'deny' },
]

const dismiss: ScreenOption = { label: 'Dismiss', keys: ['Escape'], means: 'deny' }
