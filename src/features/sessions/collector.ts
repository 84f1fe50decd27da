import { rm } from 'node:fs/promises'
import type { AnyNewRecord, RecordBody } from '../../contract/record.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { type KnownMove, redoable, undoable } from './moves.ts'
import type { Shadow } from './snapshots/shadow.ts'
import { allMoves, rootsOf, snapshotsAt } from './store.ts'

export interface CollectorPorts {
  db: Database
  now: () => number
  shadow: (root: string) => Promise<Shadow>
  /** Where the snapshots of a work tree lie. */
  placeOf: (root: string) => string
  append: (records: AnyNewRecord[]) => Promise<unknown>
  record: (body: RecordBody<'session.dropped'>) => AnyNewRecord
  onTrouble: (cause: unknown) => void
  keepMs: number
  maxBytes: number
}

export interface Collected {
  root: string
  snapshots: number
  dropped: number
  bytesBefore: number
  bytes: number
}

/** Drops the snapshots that nobody goes back to any more, of each work tree: old ones, and the oldest if there are too many. */
export const collectAll = async (
  ports: CollectorPorts,
  onTree: (done: number, total: number) => void,
): Promise<Collected[]> => {
  const roots = rootsOf(ports.db)
  const collected: Collected[] = []
  for (const [index, root] of roots.entries()) {
    onTree(index, roots.length)
    // One tree that cannot be read must not keep the others as they are.
    const one = await collectOne(ports, root).catch((cause: unknown) => ports.onTrouble(cause))
    if (one != null) collected.push(one)
  }
  return collected
}

/** One that is not there may come back: on another disk, or from just these snapshots. */
const collectOne = async (ports: CollectorPorts, root: string): Promise<Collected> => {
  if (!isAbsent(root)) return collect(ports, root)
  const isLongGone = (snapshotsAt(ports.db, root)[0]?.at ?? 0) < ports.now() - ports.keepMs
  return isLongGone ? forget(ports, root) : { root, snapshots: 0, dropped: 0, bytesBefore: 0, bytes: 0 }
}

const collect = async (ports: CollectorPorts, root: string): Promise<Collected> => {
  const { db, now, keepMs, maxBytes } = ports
  const shadow = await ports.shadow(root)
  const { bytes: bytesBefore } = await shadow.usage()
  const needed = neededBy(allMoves(db), root, now() - keepMs)
  const taken = snapshotsAt(db, root)
  let young = taken.filter(({ at }) => at >= now() - keepMs).map(({ snapshot }) => snapshot.id)
  for (let bytes = bytesBefore; ; ) {
    const keep = new Set([...needed, ...young])
    await shadow.gc({ keep: [...keep] })
    const before = bytes
    bytes = (await shadow.usage()).bytes
    const isEnough = bytes <= maxBytes || young.length === 0 || (before !== bytesBefore && bytes > before * worthwhile)
    if (isEnough) {
      const dropped = await drop(
        ports,
        root,
        taken.map(({ snapshot }) => snapshot.id).filter((id) => !keep.has(id)),
      )
      return { root, snapshots: keep.size, dropped, bytesBefore, bytes }
    }
    // The newest come first.
    young = young.slice(0, young.length >> 1)
  }
}

/** Dropping half of them must free something. */
const worthwhile = 0.95

/** From now on nobody is promised what is not there. */
const drop = async (ports: CollectorPorts, root: string, ids: readonly string[]): Promise<number> => {
  const snapshots = [...new Set(ids)]
  if (snapshots.length > 0) await ports.append([ports.record({ root, snapshots })])
  return snapshots.length
}

const keyOf = ({ move }: KnownMove): string => `${move.session}\n${move.agent.id}`

/** What an undo or a redo needs, however old it is, and both ends of what was done lately. */
const neededBy = (moves: readonly KnownMove[], root: string, since: number): string[] => {
  const byAgent = new Map<string, KnownMove[]>(moves.map((one) => [keyOf(one), []]))
  for (const one of moves) byAgent.get(keyOf(one))?.push(one)
  const last = [...byAgent.values()].flatMap((own) => [undoable(own), redoable(own)])
  const young = moves.filter(({ at, state }) => at >= since || state === 'open')
  const found = young.map((one) => one.found).filter((id) => id !== null)
  const files = [...last, ...young.map(({ move }) => move)].map((move) => move?.files ?? null)
  const ends = files.flatMap((one) => (one?.root === root ? [one.safety.id, one.target.id] : []))
  return [...ends, ...found]
}

/** Its work tree is long gone, and with it what could be restored. */
const forget = async (ports: CollectorPorts, root: string): Promise<Collected> => {
  const ids = snapshotsAt(ports.db, root).map(({ snapshot }) => snapshot.id)
  await rm(ports.placeOf(root), { recursive: true, force: true })
  return { root, snapshots: 0, dropped: await drop(ports, root, ids), bytesBefore: 0, bytes: 0 }
}
