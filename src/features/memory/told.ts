import { createHash } from 'node:crypto'
import type { RecordedCommand } from './recorded.ts'

type Told = Pick<RecordedCommand, 'session' | 'at' | 'command' | 'cwd' | 'durationMs'>

/** For what is told without an id: the same command of the same time has the same, however often it is told. */
export const toldId = ({ session, at, command, cwd, durationMs }: Told): string => {
  const parts = JSON.stringify([session, at, command, cwd, durationMs])
  return `cmd_${hash(parts)}`
}

/** Of what belongs to no conversation: one for each author and directory. */
export const toldSession = (author: string, cwd: string | null): string => `${author}-${hash(cwd ?? '')}`

/** A directory may have a secret in its name. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
