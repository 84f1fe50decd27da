import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { SnapshotError } from './errors.ts'
import type { GitPlace } from './git.ts'

interface Header {
  id: string
  kind: string
  size: number
}

/** Reads objects by their id through one `git cat-file --batch`, one after the other. */
export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #last: Promise<unknown> = Promise.resolve()

  constructor({ cwd, env }: GitPlace) {
    this.#child = spawn('git', ['cat-file', '--batch'], { cwd, env })
    // How it ended is told by what it did not say.
    this.#child.on('error', () => undefined).stdin.on('error', () => undefined)
    this.#child.stderr.resume()
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async read(id: string, kind: string): Promise<Buffer> {
    const parts: Buffer[] = []
    await this.stream(id, kind, async (part) => void parts.push(part))
    return Buffer.concat(parts)
  }

  /** Hands out the content piece by piece. */
  stream(id: string, kind: string, take: (part: Buffer) => Promise<void>): Promise<void> {
    const reading = this.#last.then(() => this.#readNow(id, kind, take))
    this.#last = reading.catch(() => undefined)
    return reading
  }

  async close(): Promise<void> {
    await this.#last
    const { exitCode, signalCode } = this.#child
    this.#child.stdin.end()
    this.#child.stdout.resume()
    if (exitCode === null && signalCode === null && this.#child.pid !== undefined) await once(this.#child, 'close')
  }

  async #readNow(id: string, kind: string, take: (part: Buffer) => Promise<void>): Promise<void> {
    this.#child.stdin.write(`${id}\n`)
    const header = parseHeader((await this.#line()).toString())
    if (header === null) throw damaged(id)
    // Read to its end whatever it is: the next answer stands behind it.
    const isWanted = header.kind === kind
    for (let left = header.size; left > 0; ) {
      const part = await this.#some(left)
      left -= part.length
      if (isWanted) await take(part)
    }
    await this.#some(1)
    if (!isWanted) throw damaged(id)
  }

  async #line(): Promise<Buffer> {
    let end = this.#rest.indexOf(10)
    while (end < 0) {
      this.#rest = Buffer.concat([this.#rest, await this.#chunk()])
      end = this.#rest.indexOf(10)
    }
    const line = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end + 1)
    return line
  }

  async #some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0) this.#rest = await this.#chunk()
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async #chunk(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next()
    if (done === true) throw new SnapshotError('git_failed', 'git cat-file ended too early.')
    return value
  }
}

const parseHeader = (line: string): Header | null => {
  const [id = '', kind = '', size] = line.split(' ')
  return size === undefined ? null : { id, kind, size: Number(size) }
}

const damaged = (id: string): SnapshotError =>
  new SnapshotError('damaged', `The object ${id} of a snapshot is gone or damaged. No file was changed.`)
