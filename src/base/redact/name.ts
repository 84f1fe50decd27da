import { createHash } from 'node:crypto'
import { redact } from './redact.ts'

/** A name that others gave: one with a secret in it becomes another, which is the same each time. */
export const nameWithoutSecrets = (name: string): string =>
  redact(name).count === 0 ? name : `redacted-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
