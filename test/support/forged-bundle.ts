/** Bundles, sound or hostile, made byte by byte: each hostile one differs from the sound one in one thing. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { blob, type ForgedEntry, type ForgedObject, idOf, packOf, tree } from './forged-pack.ts'

type Json = Record<string, unknown>
export type Entry = [name: string, content: Buffer | string]

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

export const talk = `${JSON.stringify({ type: 'user', uuid: 'u1', parentUuid: null, timestamp: '2026-11-16T10:00:00.000Z', sessionId: 's', cwd: '/src/shop', message: { role: 'user', content: 'hello' } })}\n`

export const files = (object: ForgedObject, more: Json = {}): Json => ({
  tree: idOf(object),
  modes: [],
  emptyDirs: [],
  head: null,
  branch: null,
  ...more,
})

export const turn = (more: Json = {}): Json => ({
  label: '1',
  prompt: 'hello',
  reply: 'hi',
  tools: [],
  model: null,
  startedAt: 1,
  endedAt: 2,
  files: null,
  ...more,
})

export const readme = blob('read me\n')
export const soundTree = tree(['100644', 'readme.md', readme])

/** What the manifest says, but for the entries. */
export const said = (more: Json = {}): Json => ({
  format: 1,
  rein: '0.1.0',
  driver: 'claude',
  cli: '2.1.197',
  madeAt: 1,
  session: 'ses_0123456789ab',
  agent: 'ada',
  repository: null,
  base: null,
  from: { conversation: 'c', root: '/src/shop' },
  at: '',
  isRedacted: false,
  secrets: [],
  leftOut: [],
  start: null,
  turns: [turn({ files: files(soundTree) })],
  ...more,
})

export const soundEntries: Entry[] = [
  ['conversation/transcript.jsonl', talk],
  ['snapshots.pack', packOf(readme, soundTree)],
]

export const listed = (entries: readonly Entry[]): Json[] =>
  entries.map(([name, content]) => {
    const data = Buffer.from(content)
    return { name, bytes: data.length, sha256: sha256(data) }
  })

/** One entry as it stands in the container; `size` may lie. */
export const framed = ([name, content]: Entry, size?: bigint): Buffer => {
  const data = Buffer.from(content)
  const head = Buffer.alloc(2 + Buffer.byteLength(name, 'latin1') + 8)
  head.writeUInt16BE(head.length - 10)
  head.write(name, 2, 'latin1')
  head.writeBigUInt64BE(size ?? BigInt(data.length), head.length - 8)
  return Buffer.concat([head, data])
}

export const headLine = 'rein-bundle 1\n'

export const container = (...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(headLine), gzipSync(Buffer.concat(parts), { level: 1 })])

/** A bundle whose manifest tells of its entries, unless it says otherwise. */
export const bundle = (manifest: Json = said(), entries: Entry[] = soundEntries): Buffer =>
  container(
    framed(['manifest.json', JSON.stringify({ entries: listed(entries), ...manifest })]),
    ...entries.map((entry) => framed(entry)),
  )

/** One that has this tree and these objects. */
export const withTree = (top: ForgedObject, objects: ForgedObject[], more: Json = {}): Buffer =>
  bundle(said({ turns: [turn({ files: files(top, more) })] }), [
    ['conversation/transcript.jsonl', talk],
    ['snapshots.pack', packOf(...objects, top)],
  ])

/** One with a file of this name or mode at its top. */
export const withEntry = (mode: string, name: string | Buffer, object: ForgedObject = readme): Buffer => {
  const entry: ForgedEntry = [mode, name, object]
  return withTree(tree(entry), [object])
}
