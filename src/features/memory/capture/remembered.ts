import { existsSync } from 'node:fs'
import path from 'node:path'
import { placesOf } from '../../../base/shell/places.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'

interface RememberedPorts {
  isEphemeral: boolean
  /** The directory of `~`. */
  home: string
  now: () => number
}

/** A directory with this file, and everything below it, is not remembered. */
export const optOut = path.join('.rein', 'no-memory')

const believedMs = 5_000
const mostKnown = 1_000

/** Where commands are remembered. */
export class Remembered {
  readonly #ports: RememberedPorts
  readonly #known = new BoundedMap<string, { isRemembered: boolean; at: number }>(mostKnown)

  constructor(ports: RememberedPorts) {
    this.#ports = ports
  }

  is(cwd: string | null): boolean {
    if (this.#ports.isEphemeral) return false
    return cwd === null || this.#at(path.resolve(cwd))
  }

  /** A command counts as run in each directory that its line leads to. */
  takes(command: string, cwd: string | null): boolean {
    return this.is(cwd) && placesOf(command, cwd ?? '/', this.#ports.home).every((place) => this.is(place))
  }

  #at(directory: string): boolean {
    const known = this.#known.get(directory)
    if (known !== undefined && this.#ports.now() - known.at < believedMs) return known.isRemembered
    const above = path.dirname(directory)
    const isRemembered = !existsSync(path.join(directory, optOut)) && (above === directory || this.#at(above))
    this.#known.set(directory, { isRemembered, at: this.#ports.now() })
    return isRemembered
  }
}
