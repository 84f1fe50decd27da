import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Base } from '../base/base.ts'
import { findDriver } from '../drivers/registry.ts'
import { parseObject, textOf } from '../base/util/json.ts'
import type { Agents } from './agents.ts'

type HookReaders = Pick<Agents, 'supervisor' | 'outside'>

/**
 * Hears what hook clients could not say while no daemon was there, or this one was too slow; the rest stands in the transcripts.
 * This daemon may have taken in a call that its client gave up: then it has known since what became of that.
 */
export const readSpool = ({
  paths,
  journal,
  supervisor,
  outside,
}: Pick<Base, 'paths' | 'journal'> & HookReaders): void => {
  /** Unreadable files are retried at the next look. */
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      journal.write('trouble', { where: 'spool', reason })
    }
  }
  attempt(() => {
    for (const name of listNotes(paths.spool))
      attempt(() => {
        const file = join(paths.spool, name)
        const note = parseObject(readFileSync(file, 'utf8'))
        // More precise than what the note says, which is the second.
        const { mtimeMs } = statSync(file)
        unlinkSync(file)
        if (note !== null) heedNote({ supervisor, outside }, note, mtimeMs)
      })
  })
}

const listNotes = (spool: string): string[] =>
  readdirSync(spool, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => entry.name)
    .toSorted()

const heedNote = ({ supervisor, outside }: HookReaders, note: Record<string, unknown>, at: number): void => {
  const meta = {
    native: textOf(note.event) ?? '',
    agent: textOf(note.agent) || null,
    pid: typeof note.pid === 'number' ? note.pid : null,
    conversation: textOf(note.conversation) || null,
  }
  const driver = findDriver(textOf(note.driver) ?? '')
  const call = outside.recognise(driver, driver.hooks.decode(null, meta))
  const agent = supervisor.find(call.agent)
  if (agent?.admitsCall(call) === true) agent.hearNote(call, at)
}
