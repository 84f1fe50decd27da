import { isObject, parseObject } from '../../base/util/json.ts'
import { type Group, groupsIn, type Json } from './cut-groups.ts'
import { keptOf } from './cut-kept.ts'

export interface CutLines {
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
  const read = groupsIn(lines)
  const kept = keptOf(read, after)
  const chain = linked(kept)
  const others = kept.map(({ named, notes }, index) => (index < kept.length - 1 ? [...named, ...notes] : named))
  const all = [...read.head, ...chain.flatMap((raw, index) => [raw, ...(others[index] ?? [])])].filter(isWanted)
  return {
    lines: all.map((raw) => JSON.stringify(renamed(raw, conversation))),
    subagents: fileNames(chain.map(subagentOf)),
    backups: fileNames(all.flatMap(backupsIn)),
    until: timeOf(chain.at(-1)),
    damaged: read.damaged.map(({ line }) => line),
  }
}

/** What a sub-agent had written by then. */
export const cutSubagent = (lines: readonly string[], until: number, conversation: string): string[] => {
  const raws = lines.map(parseObject).filter((raw) => raw !== null)
  const end = raws.findIndex((raw) => timeOf(raw) > until)
  return raws.slice(0, end < 0 ? raws.length : end).map((raw) => JSON.stringify(renamed(raw, conversation)))
}

/** An older version goes on at the newest entry, whichever is the last: so the last is the newest. */
const linked = (groups: readonly Group[]): Json[] => {
  let previous: string | null = null
  let newest = 0
  return groups.map(({ entry }, index) => {
    const parentUuid = entry.kind === 'compaction' ? null : previous
    const isLate = index === groups.length - 1 && entry.at <= newest
    previous = entry.id
    newest = Math.max(newest, entry.at)
    return { ...entry.raw, parentUuid, ...(isLate ? { timestamp: new Date(newest + 1).toISOString() } : {}) }
  })
}

/** Where the CLI was, what it was to be told and from where it was steered is not so in a new conversation. */
const isWanted = ({ type }: Json): boolean =>
  !['last-prompt', 'queue-operation', 'bridge-session', 'relocated'].includes(String(type))

/** Its plan is in a file that `slug` names: the new one gets another. */
const renamed = (raw: Json, conversation: string): Json => ({
  ...raw,
  ...('slug' in raw ? { slug: undefined } : {}),
  ...('sessionId' in raw ? { sessionId: conversation } : {}),
  ...('parentSessionId' in raw ? { parentSessionId: conversation } : {}),
})

const timeOf = (raw: Json | undefined): number => Date.parse(String(raw?.timestamp)) || 0

/** Of somebody else's conversation nothing may lead out of its directory. */
const fileNames = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value) => typeof value === 'string').filter((name) => /^[\w-][\w.@-]*$/.test(name))),
]

const subagentOf = ({ toolUseResult }: Json): unknown => (isObject(toolUseResult) ? toolUseResult.agentId : null)

const backupsIn = ({ snapshot }: Json): unknown[] => {
  const { trackedFileBackups: tracked } = isObject(snapshot) ? snapshot : {}
  const backups = isObject(tracked) ? Object.values(tracked).filter(isObject) : []
  return backups.map(({ backupFileName }) => backupFileName)
}
