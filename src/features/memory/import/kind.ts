import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

export const historyKinds = ['bash', 'zsh', 'fish', 'atuin', 'claude', 'codex'] as const
export type HistoryKind = (typeof historyKinds)[number]

const headLength = 65_536
const codexLine = /^\{[^]{0,200}"type":\s*"(?:session_meta|response_item|event_msg|turn_context)"[^]{0,200}"payload":/

/** The kind of a file, by its beginning; null for a file that does not look like a history. */
export const kindOf = (file: string): HistoryKind | null => {
  const handle = openSync(file, 'r')
  let head: string
  try {
    const buffer = Buffer.alloc(headLength)
    head = buffer.toString('latin1', 0, readSync(handle, buffer, 0, headLength, 0))
  } finally {
    closeSync(handle)
  }
  if (head.startsWith('SQLite format 3\0')) return 'atuin'
  if (head.includes('\0')) return null
  const name = path.basename(file)
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  const [first = ''] = lines
  if (first.startsWith('{')) {
    if (codexLine.test(first)) return 'codex'
    // The first lines may be notes of all kinds, and longer than the part that was read.
    const isClaude = lines.some((line) => line.includes('"parentUuid":') && line.includes('"sessionId":'))
    return isClaude ? 'claude' : null
  }
  if (name.endsWith('.jsonl')) return null
  if (first.startsWith('- cmd: ') || name === 'fish_history') return 'fish'
  if (/^: \d+:\d+;/.test(first) || name.includes('zsh')) return 'zsh'
  // Any text could be a history: only its name, or a time stamp before the first line, identifies it.
  return /hist|bash/i.test(name) || /^#\d{9,11}$/.test(first) ? 'bash' : null
}
