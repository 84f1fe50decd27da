import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { ReinError } from '../../../contract/errors.ts'
import { hostile, limits } from './limits.ts'

/**
 * A bundle is this line, and then, compressed by gzip, one entry after the other: the length of its name (2 bytes), its
 * name, its size (8 bytes), its bytes. The first entry is the manifest, which lists the others.
 */
const magic = 'rein-bundle '
export const formatVersion = 1
const headLine = `${magic}${formatVersion}\n`
const longestHead = 32

export const manifestName = 'manifest.json'
export const packName = 'snapshots.pack'
export const conversationPrefix = 'conversation/'

const word = '[A-Za-z0-9_-]'
const known = new RegExp(
  `^(manifest\\.json|snapshots\\.pack|conversation/(transcript\\.jsonl|subagents/agent-${word}{1,80}\\.(jsonl|meta\\.json)|tool-results/${word}[A-Za-z0-9_.-]{0,120}))$`,
)

/** A bundle contains no other entries. */
export const isEntryName = (name: string): boolean => known.test(name)

export interface NewEntry {
  name: string
  bytes: number
  content: Buffer | AsyncIterable<Buffer>
}

/** The bytes of a bundle. */
export async function* writeContainer(entries: readonly NewEntry[]): AsyncGenerator<Buffer> {
  yield Buffer.from(headLine)
  yield* Readable.from(frameEntries(entries)).pipe(createGzip()) as AsyncIterable<Buffer>
}

async function* frameEntries(entries: readonly NewEntry[]): AsyncGenerator<Buffer> {
  for (const { name, bytes, content } of entries) {
    const head = Buffer.alloc(2 + name.length + 8)
    head.writeUInt16BE(name.length)
    head.write(name, 2, 'latin1')
    head.writeBigUInt64BE(BigInt(bytes), 2 + name.length)
    yield head
    if (Buffer.isBuffer(content)) yield content
    else yield* content
  }
}

/** Reads an untrusted file, never more at once than asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next().catch((cause: NodeJS.ErrnoException): never => {
        throw cause.code === 'Z_BUF_ERROR' ? truncated() : hostile('it cannot be unpacked')
      })
      if (done === true) return null
      this.#rest = value
    }
    const part = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0; ) {
      const part = await this.some(left)
      if (part === null) throw truncated()
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
}

const truncated = (): ReinError =>
  new ReinError('refused', 'This bundle ends too early.', 'It was not copied whole: copy it again.')

export interface FoundEntry {
  name: string
  bytes: number
  /** Passes on its bytes; to be called once, before the next entry is asked for. */
  read(take: (part: Buffer) => Promise<void>): Promise<{ sha256: string }>
}

/** The entries of a bundle, each with an allowed name that is new in it. */
export async function* readContainer(file: string): AsyncGenerator<FoundEntry> {
  const { size, head } = await readHead(file)
  const source = createReadStream(file, { start: head })
  const unzip = createGunzip()
  // An error of the file reaches the reader of its content.
  source.on('error', (cause) => unzip.destroy(cause)).pipe(unzip)
  try {
    yield* readEntries(new Bytes(unzip as AsyncIterable<Buffer>), size)
    if (unzip.bytesWritten !== size - head) throw hostile('something stands behind its end')
  } finally {
    source.destroy()
    unzip.destroy()
  }
}

async function* readEntries(bytes: Bytes, size: number): AsyncGenerator<FoundEntry> {
  const seen = new Set<string>()
  // A small file that unpacks to a huge one is an attack.
  const mostInAll = Math.min(limits.bytes, Math.max(limits.freeBytes, size * limits.ratio))
  let total = 0
  for (let first = await bytes.some(1); first !== null; first = await bytes.some(1)) {
    const nameLength = Buffer.concat([first, await bytes.exactly(1)]).readUInt16BE()
    const name = (await bytes.exactly(Math.min(nameLength, 300))).toString('latin1')
    if (!isEntryName(name)) throw hostile('it has an entry that no bundle has')
    if (seen.has(name)) throw hostile(`it has ${name} twice`)
    if (seen.add(name).size > limits.entries) throw hostile('it has too many entries')
    const length = Number((await bytes.exactly(8)).readBigUInt64BE())
    total += length
    const isText = name !== manifestName && name !== packName
    const most = isText ? limits.textBytes : name === packName ? limits.bytes : limits.manifestBytes
    if (total > mostInAll || length > most) throw hostile(`${name} is larger than it may be`)
    const read: FoundEntry['read'] = async (take) => {
      const hash = createHash('sha256')
      for (let left = length; left > 0; ) {
        const part = await bytes.some(left)
        if (part === null) throw truncated()
        hash.update(part)
        left -= part.length
        await take(part)
      }
      return { sha256: hash.digest('hex') }
    }
    yield { name, bytes: length, read }
  }
}

/** The size of the file, and the length of its first line. */
const readHead = async (file: string): Promise<{ size: number; head: number }> => {
  const found = await stat(file).catch(() => null)
  if (found === null)
    throw new ReinError(
      'not_found',
      `There is no file ${file}.`,
      'Check the path, or make a bundle: rein session export worker-1 --output worker-1.rein',
    )
  if (!found.isFile())
    throw new ReinError('usage', `${file} is not a file.`, 'Name a bundle: a file that ends in .rein')
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(longestHead), position: 0 })
    const start = buffer.toString('latin1', 0, bytesRead)
    const [line = '', number = ''] = /^rein-bundle (\d{1,9})\n/.exec(start) ?? []
    if (line === '') throw new ReinError('usage', `${file} is no bundle of Rein.`, 'Make one: rein session export')
    if (Number(number) > formatVersion)
      throw new ReinError('refused', `${file} was made by a newer Rein (format ${number}).`, 'Upgrade Rein.')
    if (line !== headLine) throw hostile('its first line is wrong')
    return { size: found.size, head: line.length }
  } finally {
    await handle.close()
  }
}
