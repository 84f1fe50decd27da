import type { ScreenReading } from '../contract.ts'

const rule = /^\s*[─━]{20,}/
const option = /^\s*(?:❯\s*)?(\d)\. (.+)$/

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
  const isBusy = composer.footer.some((line) => line.includes('esc to interrupt'))
  return { kind: isBusy ? 'busy' : 'idle', hasDraft: composer.draft !== '' }
}

/** The input box: a line with `❯` between two rules, followed by nothing but the footer. */
const composerOf = (lines: readonly string[]): { draft: string; footer: string[] } | null => {
  const bottom = lines.findLastIndex((line) => rule.test(line))
  const top = lines.findLastIndex((line, index) => index < bottom && rule.test(line))
  const inside = lines.slice(top + 1, bottom)
  if (bottom < 0 || top < 0 || !inside[0]?.startsWith('❯')) return null
  const footer = lines.slice(bottom + 1)
  if (footer.some((line) => option.test(line))) return null
  return { draft: inside.join('\n').replace('❯', '').trim(), footer }
}

const dialogIn = (lines: readonly string[]): ScreenReading => {
  const start = lines.findLastIndex((line) => rule.test(line))
  const region = lines.slice(start + 1).filter((line) => line.trim() !== '')
  const options = region.flatMap((line) => {
    const [, key, label] = option.exec(line) ?? []
    return key === undefined || label === undefined ? [] : [{ key, label: label.trim() }]
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
