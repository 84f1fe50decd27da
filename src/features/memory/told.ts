import { createHash } from 'node:crypto'
import type { RecordedCommand } from './recorded.ts'

/** The id of a command that is reported without one: always the same for the same command of the same time. */
export const toldId = ({
  session,
  at,
  command,
  cwd,
  durationMs,
}: Pick<RecordedCommand, 'session' | 'at' | 'command' | 'cwd' | 'durationMs'>): string =>
  `cmd_${hash(JSON.stringify([session, at, command, cwd, durationMs]))}`

/** The session of commands without a conversation: one for each author and directory. */
export const toldSession = (author: string, cwd: string | null): string => `${author}-${hash(cwd ?? '')}`

/** A directory may have a secret in its name. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
