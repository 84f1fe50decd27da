import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflate, deflate } from 'node:zlib'
import { randomBytes } from '../../../base/util/random.ts'
import { isFull, storageFull } from './errors.ts'
import type { ShadowDir } from './shadow-dir.ts'

/** A file that changed while it was read. */
export class FileMoved extends Error {
  constructor(file: string) {
    super(`${file} changes while it is read`)
    this.name = 'FileMoved'
  }
}

export type ObjectKind = 'blob' | 'tree' | 'commit'

export interface MadeObject {
  id: string
  /** As git stores it, before compression. */
  object: Buffer
}

/** Larger objects are never held in memory as a whole. */
const largestAtOnce = 1 << 20
const compression = { level: 1 }
const squeeze = promisify<Buffer, typeof compression, Buffer>(deflate)

/** Writes loose git objects without a process for each; as durable as the files they are made from. */
export class ObjectWriter {
  readonly #shadow: ShadowDir

  constructor(shadow: ShadowDir) {
    this.#shadow = shadow
  }

  hash(): Hash {
    return createHash(this.#shadow.format)
  }

  async write(kind: ObjectKind, data: Buffer): Promise<string> {
    const made = this.make(kind, data)
    await this.writeMade(made)
    return made.id
  }

  /** The object and its id, before it is written. */
  make(kind: ObjectKind, data: Buffer): MadeObject {
    const object = Buffer.concat([headerOf(kind, data.length), data])
    return { id: this.hash().update(object).digest('hex'), object }
  }

  async writeMade({ id, object }: MadeObject): Promise<void> {
    if (!(await this.has(id))) await this.#place(id, async (file) => file.writeFile(await squeeze(object, compression)))
  }

  async writeLink(file: Buffer): Promise<string> {
    return this.write('blob', await readlink(file, 'buffer'))
  }

  /** Writes the content of a file, unless its object is `known` to exist. */
  async writeFile(file: Buffer, known: ReadonlySet<string>): Promise<string> {
    // A symbolic link that has just replaced the file is not followed.
    const source = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await source.stat()
      if (!found.isFile()) throw new FileMoved('A file')
      const { size } = found
      if (size > largestAtOnce) return await this.#writeLarge(source, size, known)
      const data = await source.readFile()
      const id = this.hash().update(headerOf('blob', data.length)).update(data).digest('hex')
      return known.has(id) ? id : await this.write('blob', data)
    } finally {
      await source.close()
    }
  }

  /** Only loose objects count: a second copy of a packed one does no harm until the next gc. */
  async has(id: string): Promise<boolean> {
    const found = await stat(this.#fileOf(id)).catch(() => null)
    // A power cut can leave empty files, which are not objects.
    return found !== null && found.size > 0
  }

  /** Reads the file once for its id, and again to write it if the object is missing. */
  async #writeLarge(source: FileHandle, size: number, known: ReadonlySet<string>): Promise<string> {
    const first = this.hash()
    for await (const chunk of readObject(source, size)) first.update(chunk)
    const id = first.digest('hex')
    if (known.has(id) || (await this.has(id))) return id
    const hash = this.hash()
    await this.#place(id, async (file) => {
      const hashing = new Transform({
        transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) => {
          hash.update(chunk)
          done(null, chunk)
        },
      })
      const squeezing = createDeflate(compression)
      await pipeline(readObject(source, size), hashing, squeezing, file.createWriteStream({ autoClose: false }))
      if (hash.digest('hex') !== id) throw new FileMoved('A file')
    })
    return id
  }

  /** The object gets its name only when it is complete. */
  async #place(id: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    const draft = path.join(this.#shadow.objects, `tmp_obj_${randomBytes(8).toString('hex')}`)
    try {
      const file = await open(draft, 'wx', 0o400)
      try {
        await fill(file)
      } finally {
        await file.close()
      }
      await rename(draft, this.#fileOf(id))
    } catch (cause) {
      await rm(draft, { force: true })
      throw isFull(cause) ? storageFull(this.#shadow.path) : cause
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#shadow.objects, id.slice(0, 2), id.slice(2))
  }
}

const headerOf = (kind: ObjectKind, size: number): Buffer => Buffer.from(`${kind} ${size}\0`)

/** The object of a file that had this size a moment ago. */
async function* readObject(source: FileHandle, size: number): AsyncGenerator<Buffer> {
  yield headerOf('blob', size)
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await source.read({
      buffer: Buffer.alloc(Math.min(largestAtOnce, size - at)),
      position: at,
    })
    if (bytesRead === 0) throw new FileMoved('A file')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
