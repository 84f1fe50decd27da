import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { SnapshotError } from './errors.ts'
import type { GitPlace } from './git.ts'
import type { ObjectKind } from './objects.ts'

const largestAtOnce = 1 << 20

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

  async read(id: string, kind: ObjectKind): Promise<Buffer> {
    return (await this.fetch(id, kind)) ?? Buffer.alloc(0)
  }

  /** The content; null if it was large and has been handed out piece by piece instead, to whoever wants it so. */
  fetch(id: string, kind: ObjectKind, takeLarge?: (part: Buffer) => Promise<void>): Promise<Buffer | null> {
    const reading = this.#last.then(() => this.#readNow(id, kind, takeLarge))
    this.#last = reading.catch(() => undefined)
    return reading
  }

  async close(): Promise<void> {
    await this.#last
    const { exitCode, signalCode } = this.#child
    this.#child.stdin.end()
    // One that was left in the middle of an answer does not wait for a reader.
    this.#child.stdout.destroy()
    if (exitCode === null && signalCode === null && this.#child.pid !== undefined) await once(this.#child, 'close')
  }

  async #readNow(id: string, kind: ObjectKind, takeLarge?: (part: Buffer) => Promise<void>): Promise<Buffer | null> {
    this.#child.stdin.write(`${id}\n`)
    const header = parseHeader((await this.#line()).toString())
    if (header === null) throw damaged(id)
    const parts: Buffer[] = []
    const isLarge = takeLarge !== undefined && header.size > largestAtOnce
    const take = isLarge ? takeLarge : async (part: Buffer): Promise<void> => void parts.push(part)
    await this.#content(header.size, take)
    // Looked at only now: the next answer stands behind this one, whatever it is.
    if (header.kind !== kind) throw damaged(id)
    return isLarge ? null : Buffer.concat(parts)
  }

  async #content(size: number, take: (part: Buffer) => Promise<void>): Promise<void> {
    for (let left = size; left > 0; ) {
      const part = await this.#some(left)
      left -= part.length
      await take(part)
    }
    await this.#some(1)
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
