import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../contract/logs.ts'
import { emptyReply } from '../contract/hooks.ts'
import { findDriver } from '../drivers/registry.ts'
import { parseObject, textOf } from '../base/util/json.ts'
import type { Agents } from '../agents/agents.ts'
import type { Base } from '../base/base.ts'

/** Hears what hook clients could not say while no daemon was there; the rest stands in the transcripts. */
export const readSpool = ({ paths: { spool }, journal }: Base, agents: Agents): number => {
  const files = tried(journal, () => notesIn(spool)) ?? []
  for (const name of files)
    tried(journal, () => {
      const note = parseObject(readFileSync(join(spool, name), 'utf8'))
      unlinkSync(join(spool, name))
      if (note !== null) heed(agents, note)
    })
  return files.length
}

const notesIn = (spool: string): string[] =>
  readdirSync(spool, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => entry.name)
    .toSorted()

/** What cannot be read now is looked at again. */
const tried = <T>(journal: Journal, work: () => T): T | undefined => {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    journal.write('trouble', { where: 'spool', reason })
    return undefined
  }
}

const heed = ({ supervisor, outside }: Agents, note: Record<string, unknown>): void => {
  const meta = {
    native: text(note.event) ?? '',
    agent: text(note.agent),
    pid: typeof note.pid === 'number' ? note.pid : null,
    conversation: text(note.conversation),
  }
  const driver = findDriver(text(note.driver) ?? '')
  const call = outside.recognise(driver, driver.hooks.decode(null, meta))
  if (!supervisor.admits(call)) return
  supervisor.heed(call)
  supervisor.conclude(call, emptyReply, false)
}

const text = (value: unknown): string | null => textOf(value) || null
