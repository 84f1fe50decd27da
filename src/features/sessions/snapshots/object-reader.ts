import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Serial } from '../../../base/util/serial.ts'
import { SnapshotError } from './errors.ts'
import type { GitPlace } from './git.ts'
import type { ObjectKind } from './objects.ts'

const largestAtOnce = 1 << 20

/** Reads objects by their id through one `git cat-file --batch`, one after the other. */
export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  readonly #reads = new Serial()

  constructor({ cwd, env }: GitPlace) {
    this.#child = spawn('git', ['cat-file', '--batch'], { cwd, env })
    // A read that finds no answer reports the failure.
    this.#child.on('error', () => undefined).stdin.on('error', () => undefined)
    this.#child.stderr.resume()
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async read(id: string, kind: ObjectKind): Promise<Buffer> {
    return (await this.fetch(id, kind)) ?? Buffer.alloc(0)
  }

  /** The content; null if it was large and `takeLarge` got it piece by piece. */
  fetch(id: string, kind: ObjectKind, takeLarge?: (part: Buffer) => Promise<void>): Promise<Buffer | null> {
    return this.#reads.run(async () => {
      this.#child.stdin.write(`${id}\n`)
      const [, foundKind, sizeText] = (await this.#line()).toString().split(' ')
      if (sizeText === undefined) throw damaged(id)
      const size = Number(sizeText)
      const parts: Buffer[] = []
      const isLarge = takeLarge !== undefined && size > largestAtOnce
      for (let left = size; left > 0; ) {
        const part = await this.#some(left)
        left -= part.length
        if (isLarge) await takeLarge(part)
        else parts.push(part)
      }
      await this.#some(1)
      // Checked only now: the next answer follows this one, whatever its kind.
      if (foundKind !== kind) throw damaged(id)
      return isLarge ? null : Buffer.concat(parts)
    })
  }

  async close(): Promise<void> {
    await this.#reads.idle()
    const { exitCode, signalCode } = this.#child
    this.#child.stdin.end()
    // A process in the middle of an answer must not wait for a reader.
    this.#child.stdout.destroy()
    if (exitCode === null && signalCode === null && this.#child.pid !== undefined) await once(this.#child, 'close')
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

const damaged = (id: string): SnapshotError =>
  new SnapshotError('damaged', `The object ${id} of a snapshot is gone or damaged. No file was changed.`)
