import { rm } from 'node:fs/promises'
import type { AnyNewRecord, RecordBody } from '../../contract/record.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { groupBy } from '../../base/util/group.ts'
import { redoable, undoable } from './moves.ts'
import type { Shadow } from './snapshots/shadow.ts'
import { allMoves, rootsOf, snapshotsAt } from './store.ts'

interface CollectorPorts {
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

/** Drops the snapshots of each work tree that are too old to go back to, and the oldest ones where they take too much space. */
export const collectAll = async (
  ports: CollectorPorts,
  onTree: (done: number, total: number) => void,
): Promise<Collected[]> => {
  const roots = rootsOf(ports.db)
  const collected: Collected[] = []
  for (const [index, root] of roots.entries()) {
    onTree(index, roots.length)
    // One unreadable tree must not stop the collection of the others.
    const one = await collectTree(ports, root).catch((cause: unknown) => ports.onTrouble(cause))
    if (one != null) collected.push(one)
  }
  return collected
}

const collectTree = async (ports: CollectorPorts, root: string): Promise<Collected> => {
  const { db, now, keepMs, maxBytes } = ports
  const taken = snapshotsAt(db, root)
  const ids = taken.map(({ snapshot }) => snapshot.id)
  if (isAbsent(root)) {
    const gone: Collected = { root, snapshots: 0, dropped: 0, bytesBefore: 0, bytes: 0 }
    // A missing tree may come back: on another disk, or restored from these very snapshots.
    if ((taken[0]?.at ?? 0) >= now() - keepMs) return gone
    await rm(ports.placeOf(root), { recursive: true, force: true })
    return { ...gone, dropped: await recordDropped(ports, root, ids) }
  }
  const shadow = await ports.shadow(root)
  const { bytes: bytesBefore } = await shadow.usage()
  // The snapshots that an undo or redo needs, however old, and both ends of recent moves.
  const moves = allMoves(db)
  const byAgent = groupBy(moves, ({ move }) => `${move.session}\n${move.agent.id}`)
  const last = [...byAgent.values()].flatMap((own) => [undoable(own), redoable(own)])
  const since = now() - keepMs
  const recent = moves.filter(({ at, state }) => at >= since || state === 'open')
  const found = recent.map((one) => one.found).filter((id) => id !== null)
  const files = [...last, ...recent.map(({ move }) => move)].map((move) => move?.files ?? null)
  const ends = files.flatMap((one) => (one?.root === root ? [one.safety.id, one.target.id] : []))
  const needed = [...ends, ...found]
  let young = taken.filter(({ at }) => at >= now() - keepMs).map(({ snapshot }) => snapshot.id)
  for (let bytes = bytesBefore; ; ) {
    const keep = new Set([...needed, ...young])
    await shadow.gc({ keep: [...keep] })
    const before = bytes
    bytes = (await shadow.usage()).bytes
    const isEnough = bytes <= maxBytes || young.length === 0 || (before !== bytesBefore && bytes > before * worthwhile)
    if (isEnough) {
      const unkept = ids.filter((id) => !keep.has(id))
      return { root, snapshots: keep.size, dropped: await recordDropped(ports, root, unkept), bytesBefore, bytes }
    }
    // Keeps the newer half: the newest come first.
    young = young.slice(0, young.length >> 1)
  }
}

/** Halving again must free at least this share, or the loop ends. */
const worthwhile = 0.95

/** From this record on, no one is offered a snapshot that is gone. */
const recordDropped = async (ports: CollectorPorts, root: string, ids: readonly string[]): Promise<number> => {
  const snapshots = [...new Set(ids)]
  if (snapshots.length > 0) await ports.append([ports.record({ root, snapshots })])
  return snapshots.length
}
