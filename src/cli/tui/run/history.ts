import { appendFile, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { ensurePrivateDir } from '../../../base/util/private-dir.ts'

const keptLines = 200

/** Prompts of earlier runs, oldest first; foreign lines are left out. */
export const readHistory = async (file: string): Promise<string[]> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter(Boolean)
  const kept = lines.slice(-keptLines)
  if (lines.length > 2 * keptLines) await writeFileAtomic(file, `${kept.join('\n')}\n`)
  return kept.flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return typeof entry === 'string' ? [entry] : []
    } catch {
      return []
    }
  })
}

/** One line a prompt, whatever stands in it; only for its owner. */
export const remember = async (file: string, text: string): Promise<void> => {
  ensurePrivateDir(dirname(file))
  await appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 })
}
