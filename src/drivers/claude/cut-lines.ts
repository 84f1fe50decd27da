import { isObject, parseObject } from '../../base/util/json.ts'
import { asObject, type Json } from '../json.ts'
import { groupLines } from './cut-groups.ts'
import { keepLineage } from './cut-kept.ts'

interface CutLines {
  lines: string[]
  /** Sub-agents that were started in it. */
  subagents: string[]
  /** Copies of files, from which the CLI's own /rewind restores them. */
  backups: string[]
  /** When its last entry was written. */
  until: number
  /** Lines that could not be read, by number. */
  damaged: number[]
}

/**
 * The conversation up to and including one entry, under another id. Each entry hangs on the one before it, as in the
 * CLI's own branches: 2.1.9 reads nothing that hangs beside the chain, and newer ones not the context of hooks there.
 */
export const cutLines = (lines: readonly string[], after: string, conversation: string): CutLines => {
  const read = groupLines(lines)
  const kept = keepLineage(read, after)
  // An older version continues at the newest entry, so the last entry has to be the newest.
  let previous: string | null = null
  let newest = 0
  const chain = kept.map(({ entry }, index): Json => {
    const parentUuid = entry.kind === 'compaction' ? null : previous
    const isLate = index === kept.length - 1 && entry.at <= newest
    previous = entry.id
    newest = Math.max(newest, entry.at)
    return { ...entry.raw, parentUuid, ...(isLate ? { timestamp: new Date(newest + 1).toISOString() } : {}) }
  })
  const others = kept.map(({ named, notes }, index) => (index < kept.length - 1 ? [...named, ...notes] : named))
  // These lines describe the state of the old conversation's process.
  const all = [...read.head, ...chain.flatMap((raw, index) => [raw, ...(others[index] ?? [])])].filter(
    ({ type }) => !['last-prompt', 'queue-operation', 'bridge-session', 'relocated'].includes(String(type)),
  )
  return {
    lines: all.map((raw) => JSON.stringify(renamed(raw, conversation))),
    subagents: fileNames(chain.map(({ toolUseResult }) => asObject(toolUseResult).agentId)),
    backups: fileNames(
      all.flatMap(({ snapshot }) => {
        const tracked = Object.values(asObject(asObject(snapshot).trackedFileBackups))
        return tracked.filter(isObject).map(({ backupFileName }) => backupFileName)
      }),
    ),
    until: timeOf(chain.at(-1)),
    damaged: read.damaged.map(({ line }) => line),
  }
}

/** The lines a sub-agent had written by then. */
export const cutSubagent = (lines: readonly string[], until: number, conversation: string): string[] => {
  const raws = lines.map(parseObject).filter((raw) => raw !== null)
  const end = raws.findIndex((raw) => timeOf(raw) > until)
  return raws.slice(0, end < 0 ? raws.length : end).map((raw) => JSON.stringify(renamed(raw, conversation)))
}

/** Its plan is in a file that `slug` names: the new one gets another. */
const renamed = (raw: Json, conversation: string): Json => ({
  ...raw,
  ...('slug' in raw ? { slug: undefined } : {}),
  ...('sessionId' in raw ? { sessionId: conversation } : {}),
  ...('parentSessionId' in raw ? { parentSessionId: conversation } : {}),
})

const timeOf = (raw: Json | undefined): number => Date.parse(String(raw?.timestamp)) || 0

/** File names of a foreign conversation must not lead out of its directory. */
const fileNames = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value) => typeof value === 'string').filter((name) => /^[\w-][\w.@-]*$/.test(name))),
]
