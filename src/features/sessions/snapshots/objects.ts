import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflate, deflate } from 'node:zlib'
import { randomBytes } from '../../../base/util/random.ts'
import { isFull, storageFull } from './errors.ts'
import type { ShadowDir } from './shadow-dir.ts'

/** A file that was another one at the end of the reading than at its start. */
export class FileMoved extends Error {
  constructor(file: string) {
    super(`${file} changes while it is read`)
    this.name = 'FileMoved'
  }
}

export type ObjectKind = 'blob' | 'tree' | 'commit'

export interface MadeObject {
  id: string
  /** As git has it, before it is squeezed. */
  object: Buffer
}

/** Larger ones are never held in memory as a whole. */
const largestAtOnce = 1 << 20
const compression = { level: 1 }
const squeeze = promisify<Buffer, typeof compression, Buffer>(deflate)

/** Writes git objects without a process for each: loose ones, as durable as the files they are made from. */
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

  /** Its name is known before it is there. */
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

  /** The content of a file; one that is `known` to be among the objects is only looked at. */
  async writeFile(file: Buffer, known: ReadonlySet<string>): Promise<string> {
    // A link that has just taken the place of the file is not followed.
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

  /** Only loose objects count: whatever else holds it, one more copy does no harm until the next gc. */
  async has(id: string): Promise<boolean> {
    const found = await stat(this.#fileOf(id)).catch(() => null)
    // A power cut leaves empty files, which are no objects.
    return found !== null && found.size > 0
  }

  /** Its id is known only at the end, so it is read once to learn it, and again to be written if nobody has it. */
  async #writeLarge(source: FileHandle, size: number, known: ReadonlySet<string>): Promise<string> {
    const id = await this.#hashLarge(source, size)
    if (known.has(id) || (await this.has(id))) return id
    const hash = this.hash()
    await this.#place(id, async (file) => {
      const squeezing = createDeflate(compression)
      await pipeline(withHeader(source, size), tap(hash), squeezing, file.createWriteStream({ autoClose: false }))
      if (hash.digest('hex') !== id) throw new FileMoved('A file')
    })
    return id
  }

  async #hashLarge(source: FileHandle, size: number): Promise<string> {
    const hash = this.hash()
    for await (const chunk of withHeader(source, size)) hash.update(chunk as Buffer)
    return hash.digest('hex')
  }

  /** Under its name only when it is complete. */
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
const withHeader = (source: FileHandle, size: number): Readable => Readable.from(contentOf(source, size))

async function* contentOf(source: FileHandle, size: number): AsyncGenerator<Buffer> {
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

const tap = (hash: Hash): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
