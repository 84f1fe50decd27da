import { createHash } from 'node:crypto'

/** The same text gives the same id: what is repeated after a crash is recognised. Its form is that of all ids, a UUID (version 8). */
export const deriveId = (kind: string, text: string): string => {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return `${kind}_${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}
