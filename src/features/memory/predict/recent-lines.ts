import { BoundedMap } from '../../../base/util/bounded-map.ts'

/** The last lines of a project, each by its number, with its first characters. */
interface Ring {
  readonly lines: Int32Array
  readonly beginnings: Int32Array
  /** How many there ever were. */
  count: number
}

/** The first characters of a line are packed into one number. */
const beginningLength = 4
const bitsPerCharacter = 8
const characterMask = 2 ** bitsPerCharacter - 1

/** The last lines of each project, to complete what is typed. */
export class RecentLines {
  readonly #mostLines: number
  readonly #projects: BoundedMap<number, Ring>

  constructor(mostProjects: number, mostLines: number) {
    this.#mostLines = mostLines
    this.#projects = new BoundedMap(mostProjects)
  }

  add(project: number, line: number, source: string): void {
    const ring = this.#projects.get(project) ?? {
      lines: new Int32Array(this.#mostLines),
      beginnings: new Int32Array(this.#mostLines),
      count: 0,
    }
    this.#projects.set(project, ring)
    const at = ring.count % this.#mostLines
    ring.lines[at] = line
    ring.beginnings[at] = packBeginning(source, beginningLength)
    ring.count++
  }

  /** How many of the last commands of a project were this line. */
  count(project: number, line: number): number {
    const { lines, count } = this.#projects.get(project) ?? { lines: new Int32Array(), count: 0 }
    let runs = 0
    for (let at = Math.min(count, lines.length) - 1; at >= 0; at--) if (lines[at] === line) runs++
    return runs
  }

  /** Each line that begins with the first characters of `prefix`, once, newest first. */
  starting(project: number, prefix: string): Set<number> {
    const found = new Set<number>()
    const ring = this.#projects.get(project)
    if (ring === undefined) return found
    const length = Math.min(prefix.length, beginningLength)
    const mask = length === beginningLength ? -1 : (1 << (length * bitsPerCharacter)) - 1
    const wanted = packBeginning(prefix, length)
    for (let back = 1; back <= Math.min(ring.count, this.#mostLines); back++) {
      const at = (ring.count - back) % this.#mostLines
      if (((ring.beginnings[at] ?? 0) & mask) === wanted) found.add(ring.lines[at] ?? 0)
    }
    return found
  }

  /** Oldest first. */
  save(): [project: number, lines: number[]][] {
    return [...this.#projects.keys()].map((project) => [project, [...this.starting(project, '')].toReversed()])
  }

  load(saved: ReturnType<RecentLines['save']>, findSource: (line: number) => string): void {
    for (const [project, lines] of saved) for (const line of lines) this.add(project, line, findSource(line))
  }
}

const packBeginning = (text: string, length: number): number => {
  let packed = 0
  for (let index = 0; index < Math.min(length, text.length); index++)
    packed |= (text.charCodeAt(index) & characterMask) << (index * bitsPerCharacter)
  return packed
}
