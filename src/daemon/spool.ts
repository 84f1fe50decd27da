import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { emptyReply } from '../contract/hooks.ts'
import { findDriver } from '../drivers/registry.ts'
import { parseObject, textOf } from '../base/util/json.ts'
import type { Services } from './services.ts'

/** Hears what hook clients could not say while no daemon was there; the rest stands in the transcripts. */
export const readSpool = (services: Services): number => {
  const { spool } = services.paths
  const files = tried(services, () => notesIn(spool)) ?? []
  for (const name of files)
    tried(services, () => {
      const note = parseObject(readFileSync(join(spool, name), 'utf8'))
      unlinkSync(join(spool, name))
      if (note !== null) heed(services, note)
    })
  return files.length
}

const notesIn = (spool: string): string[] =>
  readdirSync(spool, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => entry.name)
    .toSorted()

/** What cannot be read now is looked at again. */
const tried = <T>({ journal }: Services, work: () => T): T | undefined => {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    journal.write('trouble', { where: 'spool', reason })
    return undefined
  }
}

const heed = ({ supervisor, outside }: Services, note: Record<string, unknown>): void => {
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
