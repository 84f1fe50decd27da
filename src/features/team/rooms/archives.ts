import { join } from 'node:path'
import { type Actor, byRein } from '../../../contract/identity.ts'
import { type AnyNewRecord, newRecord } from '../../../contract/record.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { ensurePrivateDir } from '../../../base/util/private-dir.ts'
import { KeyedSerial } from '../../../base/util/serial.ts'
import { isTurnOver } from './room.ts'
import { postAt, presentRoom } from './store.ts'

/** How many posts were moved, the number of the last archived one, and their file. */
export interface Archived {
  archived: number
  upTo: number
  file: string | null
}

interface ArchivePorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  newId(prefix: string): string
  archiveDir: string
  onTrouble(where: string, cause: unknown): void
}

/** A room is archived when it holds this share more than it keeps; after a failure, again when half of that has been added. */
const slack = 0.2

/** Moves old posts out of rooms into files: first the file, then its record. */
export class Archives {
  readonly #ports: ArchivePorts
  readonly #keep: number
  readonly #archiving = new KeyedSerial()
  /** The number of the post at which a room is looked at again. */
  readonly #notBefore = new Map<string, number>()

  constructor(ports: ArchivePorts, keep: number) {
    this.#ports = ports
    this.#keep = keep
  }

  /** Archives a room that holds too much, in the background. */
  onPosted({ room, n }: { room: string; n: number }, held: number): void {
    if (this.#keep === 0 || held <= this.#keep * (1 + slack) || n < (this.#notBefore.get(room) ?? 0)) return
    this.#notBefore.set(room, n + Math.ceil((this.#keep * slack) / 2))
    this.archive(room, this.#keep, byRein).catch((cause: unknown) => this.#ports.onTrouble('rooms', cause))
  }

  /** Archives all but the newest posts. */
  archive(key: string, keep: number, actor: Actor): Promise<Archived> {
    return this.#archiving.run(key, async () => {
      const { reader, archiveDir } = this.#ports
      const { project, name, first, last } = presentRoom(reader, key)
      const upTo = last - keep
      if (upTo < first) return { archived: 0, upTo: first - 1, file: null }
      ensurePrivateDir(archiveDir)
      // Neither a project nor a room has a dot in its name.
      const file = join(archiveDir, `${project}.${name}.${first}-${upTo}.ndjson`)
      await writeFileAtomic(file, lines(reader, key, first, upTo))
      const agent = actor.kind === 'agent' ? actor.id : null
      const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent, project }
      await this.#ports.append([newRecord('room.archived', { room: key, upTo, file }, context)])
      return { archived: upTo - first + 1, upTo, file }
    })
  }
}

/** Several lines at a time. */
async function* lines(db: Database, key: string, first: number, upTo: number): AsyncGenerator<string> {
  let some: string[] = []
  let chars = 0
  for (let n = first; n <= upTo; n += 1) {
    const line = `${JSON.stringify(postAt(db, key, n))}\n`
    some.push(line)
    chars += line.length
    if (!isTurnOver(some.length, chars)) continue
    yield some.join('')
    some = []
    chars = 0
  }
  yield some.join('')
}
