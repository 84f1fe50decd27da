/** The lines that a project ran last, each by its number, with how it begins. */
interface Ring {
  readonly lines: Int32Array
  readonly beginnings: Int32Array
  /** How many there ever were. */
  count: number
}

/** The first characters of a line as one number. */
const BEGINNING = 4
const BITS = 8
const BYTE = 2 ** BITS - 1

/** The lines that each project ran last: what somebody who begins to type may mean. */
export class RecentLines {
  readonly #mostProjects: number
  readonly #mostLines: number
  /** Least recently used first. */
  readonly #projects = new Map<number, Ring>()

  constructor(mostProjects: number, mostLines: number) {
    this.#mostProjects = mostProjects
    this.#mostLines = mostLines
  }

  add(project: number, line: number, source: string): void {
    const ring = this.#ringOf(project)
    const at = ring.count % this.#mostLines
    ring.lines[at] = line
    ring.beginnings[at] = beginningOf(source, BEGINNING)
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
    const length = Math.min(prefix.length, BEGINNING)
    const mask = length === BEGINNING ? -1 : (1 << (length * BITS)) - 1
    const wanted = beginningOf(prefix, length)
    for (let back = 1; back <= Math.min(ring.count, this.#mostLines); back++) {
      const at = (ring.count - back) % this.#mostLines
      if (((ring.beginnings[at] ?? 0) & mask) === wanted) found.add(ring.lines[at] ?? 0)
    }
    return found
  }

  #ringOf(project: number): Ring {
    const ring = this.#projects.get(project) ?? this.#newRing()
    this.#projects.delete(project)
    this.#projects.set(project, ring)
    if (this.#projects.size > this.#mostProjects) this.#forgetOldest()
    return ring
  }

  #newRing(): Ring {
    return { lines: new Int32Array(this.#mostLines), beginnings: new Int32Array(this.#mostLines), count: 0 }
  }

  #forgetOldest(): void {
    const [oldest] = this.#projects.keys()
    if (oldest !== undefined) this.#projects.delete(oldest)
  }

  /** Oldest first. */
  save(): [project: number, lines: number[]][] {
    return [...this.#projects.keys()].map((project) => [project, [...this.starting(project, '')].toReversed()])
  }

  load(saved: ReturnType<RecentLines['save']>, sourceOf: (line: number) => string): void {
    for (const [project, lines] of saved) for (const line of lines) this.add(project, line, sourceOf(line))
  }
}

function beginningOf(text: string, length: number): number {
  let beginning = 0
  for (let index = 0; index < Math.min(length, text.length); index++)
    beginning |= (text.charCodeAt(index) & BYTE) << (index * BITS)
  return beginning
}
