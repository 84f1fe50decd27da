import { createHash } from 'node:crypto'

/** A line by which a file is known to be ours, and as we wrote it. */
const stampLine = /^(?:#|<!--) Written by `rein service install` \(sha256 ([0-9a-f]{64})\)(?: -->)?\n/m
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

type Authorship = 'ours' | 'edited' | 'foreign'

export const stamp = (text: string): string => `Written by \`rein service install\` (sha256 ${hashOf(text)})`

export const authorOf = (text: string): Authorship => {
  const [line, hash] = stampLine.exec(text) ?? []
  if (line === undefined) return 'foreign'
  return hashOf(text.replace(line, '')) === hash ? 'ours' : 'edited'
}
