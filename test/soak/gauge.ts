import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../../bench/measure.ts'
import type { Env, Stage } from '../campaign/stage.ts'
import { killProcess } from '../kill.ts'

export interface Gauged {
  /** All memory of the process: how much the garbage collector keeps in reserve is part of it, and comes and goes. */
  residentMiB: number
  /** The same without that reserve. */
  usedMiB: number
  /** What is open. */
  descriptors: string[]
}

const everyMs = 500
const mib = 2 ** 20

/** How much the daemon of a stage holds, when it has let go of what nobody uses. */
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
    const [resident, used]: [number[], number[]] = [[], []]
    let descriptors = openIn(pid)
    for (const until = Date.now() + ms; Date.now() < until; ) {
      const { rss, heapTotal, heapUsed } = await this.#collect(pid)
      resident.push(rss / mib)
      used.push((rss - heapTotal + heapUsed) / mib)
      const now = openIn(pid)
      if (now.length < descriptors.length) descriptors = now
      await delay(everyMs)
    }
    return { residentMiB: median(resident), usedMiB: median(used), descriptors }
  }

  async #collect(pid: number): Promise<NodeJS.MemoryUsage> {
    rmSync(this.#file, { force: true })
    killProcess(pid, 'SIGUSR2')
    while (!existsSync(this.#file)) await delay(10)
    return JSON.parse(readFileSync(this.#file, 'utf8')) as NodeJS.MemoryUsage
  }
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
