import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

export const historyKinds = ['bash', 'zsh', 'fish', 'atuin', 'claude', 'codex'] as const
export type HistoryKind = (typeof historyKinds)[number]

const headLength = 65_536

/** What a file is, by how it begins; null for what is no history, or does not look like one. */
export const kindOf = (file: string): HistoryKind | null => {
  const head = headOf(file)
  if (head.startsWith('SQLite format 3\0')) return 'atuin'
  if (head.includes('\0')) return null
  const name = path.basename(file)
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  const [first = ''] = lines
  if (first.startsWith('{')) return transcriptKind(lines)
  if (name.endsWith('.jsonl')) return null
  if (first.startsWith('- cmd: ') || name === 'fish_history') return 'fish'
  if (/^: \d+:\d+;/.test(first) || name.includes('zsh')) return 'zsh'
  // Any text could be lines that somebody typed: its name, or the time before the first, has to speak for it.
  return /hist|bash/i.test(name) || /^#\d{9,11}$/.test(first) ? 'bash' : null
}

const codexLine = /^\{[^]{0,200}"type":\s*"(?:session_meta|response_item|event_msg|turn_context)"[^]{0,200}"payload":/

/** The first lines may be notes of all kinds, and longer than what was read. */
const transcriptKind = (lines: readonly string[]): HistoryKind | null => {
  if (codexLine.test(lines[0] ?? '')) return 'codex'
  const isClaude = lines.some((line) => line.includes('"parentUuid":') && line.includes('"sessionId":'))
  return isClaude ? 'claude' : null
}

/** Bytes of other encodings are of no interest here. */
const headOf = (file: string): string => {
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(headLength)
    return buffer.toString('latin1', 0, readSync(handle, buffer, 0, headLength, 0))
  } finally {
    closeSync(handle)
  }
}
