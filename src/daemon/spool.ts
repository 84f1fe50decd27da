import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findDriver } from '../drivers/registry.ts'
import { parseObject, textOf } from '../util/ndjson.ts'
import type { Services } from './services.ts'

/** Hears what hook clients could not say while no daemon was there; the rest stands in the transcripts. */
export const readSpool = (services: Services): number => {
  const { spool } = services.paths
  const files = readdirSync(spool)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
  for (const name of files) {
    const note = parseObject(readFileSync(join(spool, name), 'utf8'))
    if (note !== null) heed(services, note)
    unlinkSync(join(spool, name))
  }
  return files.length
}

const heed = ({ supervisor, journal }: Services, note: Record<string, unknown>): void => {
  try {
    const meta = {
      native: text(note.event) ?? '',
      agent: text(note.agent),
      pid: typeof note.pid === 'number' ? note.pid : null,
      conversation: text(note.conversation),
    }
    const call = findDriver(text(note.driver) ?? '').hooks.decode(null, meta)
    if (supervisor.admits(call)) supervisor.heed(call)
  } catch (cause) {
    journal.write('trouble', { where: 'spool', reason: cause instanceof Error ? cause.message : String(cause) })
  }
}

const text = (value: unknown): string | null => textOf(value) || null
