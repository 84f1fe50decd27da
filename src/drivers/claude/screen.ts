import type { ScreenOption, ScreenReading } from '../contract.ts'

const rule = /^\s*[─━]{20,}/
const option = /^\s*(?:❯\s*)?(\d)\. (.+)$/
/** In the footer; until about 2.1.9 above the input box instead, at the edge, where nothing the agent prints can stand. */
const busyFooter = 'esc to interrupt'
const busyLine = /^\S \S.*… \((?:esc|ctrl\+c) to interrupt/

const dialogs: readonly { name: string; kind: 'permission' | 'question' | 'plan'; pattern: RegExp }[] = [
  { name: 'trust', kind: 'question', pattern: /one you trust\?|Do you trust the files/ },
  { name: 'API key', kind: 'question', pattern: /Do you want to use this API key\?/ },
  { name: 'bypass permissions', kind: 'question', pattern: /Bypass Permissions mode/i },
  { name: 'MCP server', kind: 'question', pattern: /MCP servers? found/ },
  { name: 'plan', kind: 'plan', pattern: /Would you like to proceed\?/ },
  { name: 'question', kind: 'question', pattern: /Enter to select/ },
  { name: 'permission', kind: 'permission', pattern: /Do you want to /i },
]

/**
 * What Claude Code's screen says. Only the part below the last two rules is looked at: above it stands what the agent
 * printed, which may be anything. With the input box there, no dialog is open.
 */
export const readScreen = (text: string): ScreenReading => {
  const lines = text.trimEnd().split('\n')
  const composer = composerOf(lines)
  if (composer === null) return dialogIn(lines)
  const isBusy =
    composer.footer.some((line) => line.includes(busyFooter)) || composer.above.some((line) => busyLine.test(line))
  return { kind: isBusy ? 'busy' : 'idle', draft: composer.draft }
}

interface Composer {
  above: string[]
  draft: string
  footer: string[]
}

/** The input box: a line with `❯` between two rules, followed by nothing but the footer. */
const composerOf = (lines: readonly string[]): Composer | null => {
  const bottom = lines.findLastIndex((line) => rule.test(line))
  const top = lines.findLastIndex((line, index) => index < bottom && rule.test(line))
  const inside = lines.slice(top + 1, bottom)
  if (bottom < 0 || top < 0 || !inside[0]?.startsWith('❯')) return null
  const footer = lines.slice(bottom + 1)
  if (footer.some((line) => option.test(line))) return null
  return { above: lines.slice(0, top), draft: inside.join('\n').replace('❯', '').trim(), footer }
}

const meaning = (label: string): ScreenOption['means'] => {
  if (/^\s*Yes/i.test(label)) return 'allow'
  return /^\s*No/i.test(label) ? 'deny' : 'other'
}

const dialogIn = (lines: readonly string[]): ScreenReading => {
  const region = dialogRegion(lines).filter((line) => line.trim() !== '')
  const options = region.flatMap((line) => {
    const [, key, label] = option.exec(line) ?? []
    return key === undefined || label === undefined ? [] : [{ label: label.trim(), keys: [key], means: meaning(label) }]
  })
  if (options.length < 2) return { kind: 'unknown' }
  const words = region.join('\n')
  const known = dialogs.find(({ pattern }) => pattern.test(words))
  return {
    kind: 'dialog',
    name: known?.name ?? 'unknown dialog',
    asks: known?.kind ?? 'question',
    text: words,
    options,
  }
}

/** Below the last rule, or inside the last frame; a question has one more rule between its options and its last line. */
const dialogRegion = (lines: readonly string[]): string[] => {
  const frame = lines.findLastIndex((line) => line.startsWith('╭'))
  const last = lines.findLastIndex((line) => rule.test(line))
  if (frame > last) return lines.slice(frame + 1).map((line) => line.replace(/^│(.*)│$/, '$1'))
  const isQuestion = (lines.at(-1) ?? '').startsWith('Enter to select')
  const before = lines.findLastIndex((line, index) => index < last && rule.test(line))
  const hasOptions = lines.slice(last + 1).some((line) => option.test(line))
  return lines.slice((isQuestion && !hasOptions ? before : last) + 1)
}
