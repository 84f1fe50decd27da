import { existsSync, readFileSync } from 'node:fs'
import type { Driver } from '../drivers/contract.ts'

/** Whether so much of a conversation was written down that its CLI can go on with it; some write notes of their own first. */
export const isWritten = ({ transcript: { format } }: Driver, path: string | null): boolean => {
  if (path === null || !existsSync(path)) return false
  if (format.kind === 'rows') return true
  const read = format.reader()
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => read(line).some(({ kind }) => kind === 'prompt' || kind === 'assistant'))
}
