import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../../bench/measure.ts'
import type { Env, Stage } from '../campaign/stage.ts'
import { killProcess } from '../support/kill.ts'

export interface Gauged {
  at: number
  /** All memory of the process. V8 keeps pages in reserve that no statistics tell of: tens of MiB, which come and go. */
  residentMiB: number
  /** The heaps of all threads after a collection, and what they hold outside. */
  heapMiB: number
  /** That, and all that malloc has taken from the system, be it used or in pieces. */
  heldMiB: number
  /** What is open. */
  descriptors: string[]
}

/** What `fixtures/collect.cjs` writes down, in bytes. */
interface Collected {
  rss: number
  threads: { heap: number; external: number }[]
}

const everyMs = 500
const mib = 2 ** 20

/** How much the daemon of a stage holds when it has let go of what nobody uses. */
export class Gauge {
  readonly #file: string

  constructor({ root }: Stage) {
    this.#file = join(root, 'memory.json')
  }

  /** What the daemon has to be started with. */
  get env(): Env {
    const preload = join(import.meta.dirname, 'fixtures/collect.cjs')
    return { NODE_OPTIONS: `--require ${preload}`, COLLECT_FILE: this.#file }
  }

  /** A request of somebody's opens a descriptor for a moment, so the least counts. */
  async read(pid: number, ms: number): Promise<Gauged> {
    const [resident, heap, native]: [number[], number[], number[]] = [[], [], []]
    let descriptors = openIn(pid)
    for (const until = Date.now() + ms; Date.now() < until; ) {
      const { rss, threads } = await this.#collect(pid)
      resident.push(rss / mib)
      heap.push(threads.reduce((sum, one) => sum + one.heap + one.external, 0) / mib)
      native.push(mallocMiB(readFileSync(`/proc/${pid}/smaps`, 'utf8')))
      const now = openIn(pid)
      if (now.length < descriptors.length) descriptors = now
      await delay(everyMs)
    }
    // What a request makes for a moment is not held: the least of each counts.
    const [heapMiB, nativeMiB] = [Math.min(...heap), Math.min(...native)]
    return { at: Date.now(), residentMiB: median(resident), heapMiB, heldMiB: heapMiB + nativeMiB, descriptors }
  }

  async #collect(pid: number): Promise<Collected> {
    rmSync(this.#file, { force: true })
    killProcess(pid, 'SIGUSR2')
    while (!existsSync(this.#file)) await delay(10)
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Collected
  }
}

/** What malloc has taken from the system: the heap of the process, and the arenas of its threads. */
export const mallocMiB = (smaps: string): number => {
  const mappings = smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).map(toMapping)
  return mappings
    .filter((one, index) => one.name === '[heap]' || isArena(one, mappings[index + 1]))
    .reduce((sum, { residentKiB }) => sum + residentKiB / 1024, 0)
}

interface Mapping {
  from: number
  to: number
  mode: string
  name: string
  residentKiB: number
}

const arenaSize = 64 * mib

/** An arena begins at a multiple of its greatest size, and what is not used yet lies behind it. */
const isArena = ({ from, to, mode, name }: Mapping, next: Mapping | undefined): boolean =>
  name === '' &&
  mode.startsWith('rw') &&
  from % arenaSize === 0 &&
  (to - from === arenaSize || (next?.from === to && next.mode.startsWith('---') && next.to - from === arenaSize))

const toMapping = (text: string): Mapping => {
  const [, from = '', to = '', mode = '', name = ''] = /^(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)$/m.exec(text) ?? []
  const residentKiB = Number(/^Rss: +(\d+) kB$/m.exec(text)?.[1] ?? 0)
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), mode, name, residentKiB }
}

const openIn = (pid: number): string[] => {
  const dir = `/proc/${pid}/fd`
  const targets = readdirSync(dir).map((name) => targetOf(join(dir, name)))
  return targets.filter((target) => target !== ofClient)
}

/** How many connections a real CLI keeps to its MCP server is its own affair; one whose client is gone counts. */
const ofClient = 'a connection that its client keeps'
const established = '01'

const targetOf = (link: string): string => {
  try {
    const target = readlinkSync(link)
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode === undefined) return target
    return isKeptByClient(inode) ? ofClient : socketNamed(inode)
  } catch {
    return 'closed meanwhile'
  }
}

const isKeptByClient = (inode: string): boolean =>
  readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some((fields) => fields[9] === inode && fields[3] === established)

/** By the address it is bound to, as the connections that a server has accepted are. */
const socketNamed = (inode: string): string => {
  const line = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .find((one) => one.includes(` ${inode} `) || one.endsWith(` ${inode}`))
  return line === undefined
    ? 'socket'
    : `socket ${line.trim().split(/\s+/).slice(4).join(' ').replace(inode, '').trim()}`
}
