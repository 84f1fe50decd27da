/** Packs of git objects, sound or not, made byte by byte. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

const types = { commit: 1, tree: 2, blob: 3, tag: 4 } as const

export interface ForgedObject {
  kind: keyof typeof types
  data: Buffer
  /** A size that it does not have. */
  says?: number
}

export const idOf = ({ kind, data }: ForgedObject): string =>
  createHash('sha1').update(`${kind} ${data.length}\0`).update(data).digest('hex')

export const blob = (content: string | Buffer): ForgedObject => ({ kind: 'blob', data: Buffer.from(content) })

export type ForgedEntry = [mode: string, name: string | Buffer, object: ForgedObject | string]

/** As it is given: nobody sorts it, or looks for what is there twice. */
export const tree = (...entries: ForgedEntry[]): ForgedObject => ({
  kind: 'tree',
  data: Buffer.concat(
    entries.flatMap(([mode, name, object]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.of(0),
      Buffer.from(typeof object === 'string' ? object : idOf(object), 'hex'),
    ]),
  ),
})

const header = (kind: number, size: number): Buffer => {
  const bytes: number[] = []
  let [byte, rest] = [(kind << 4) | (size & 15), Math.floor(size / 16)]
  for (; rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128)
    byte = rest & 127
  }
  return Buffer.from([...bytes, byte])
}

export const packOf = (...objects: ForgedObject[]): Buffer => {
  const start = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1')
  start.writeUInt32BE(objects.length, 8)
  const body = Buffer.concat([
    start,
    ...objects.flatMap(({ kind, data, says }) => [header(types[kind], says ?? data.length), deflateSync(data)]),
  ])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
