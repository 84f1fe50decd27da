import { signal } from '@preact/signals'
import type { RoomView } from '../../contract/routes/team.ts'

interface RoomsPorts {
  listProjects(): Promise<readonly { project: string }[]>
  listRooms(project: string): Promise<readonly RoomView[]>
  follow(project: string, onRooms: (rooms: readonly RoomView[]) => void): () => void
}

/** A connection carries only so many streams: the rooms of further projects are asked for again and again. */
const mostFollowed = 48

/** The rooms of all projects, while a view shows them. */
export class ProjectRooms {
  /** Null before the first answer. */
  readonly rooms = signal<ReadonlyMap<string, readonly RoomView[]> | null>(null)
  readonly #ports: RoomsPorts
  readonly #stops = new Map<string, () => void>()
  #isOpen = false

  constructor(ports: RoomsPorts) {
    this.#ports = ports
  }

  open(): void {
    this.#isOpen = true
  }

  /** Also finds projects that are new. */
  async refresh(): Promise<void> {
    const all = await this.#ports.listProjects()
    this.rooms.value ??= new Map()
    for (const { project } of all) {
      if (!this.#isOpen) return
      if (this.#stops.has(project)) continue
      if (this.#stops.size < mostFollowed)
        this.#stops.set(
          project,
          this.#ports.follow(project, (rooms) => this.#set(project, rooms)),
        )
      else this.#set(project, await this.#ports.listRooms(project))
    }
  }

  close(): void {
    this.#isOpen = false
    for (const stop of this.#stops.values()) stop()
    this.#stops.clear()
  }

  #set(project: string, rooms: readonly RoomView[]): void {
    this.rooms.value = new Map([...(this.rooms.value ?? []), [project, rooms]])
  }
}
