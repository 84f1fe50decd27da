import { createReadStream } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ArrivingFile } from '../../../drivers/contract.ts'
import { isObject } from '../../../base/util/json.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { conversationPrefix, type FoundEntry, manifestName, packName, readContainer } from './container.ts'
import { hostile, limits, parseHostile } from './limits.ts'
import { Manifest } from './manifest.ts'

/** A bundle that matches its manifest, unpacked into a directory of its own. */
export interface OpenBundle {
  manifest: Manifest
  /** The pack of its files; null if it has none. */
  pack: string | null
  /** To be read one after the other, while that directory exists. */
  conversation: ArrivingFile[]
}

type Report = (done: number, total: number) => void

/** Compares everything with the manifest and checks it line by line; nothing is used before. */
export const openBundle = async (file: string, quarantine: string, onProgress: Report): Promise<OpenBundle> => {
  const entries = readContainer(file)
  try {
    return await unpack(entries, quarantine, onProgress)
  } finally {
    // Closes the file also if the manifest alone is refused.
    await entries.return(undefined)
  }
}

const unpack = async (
  entries: AsyncGenerator<FoundEntry>,
  quarantine: string,
  onProgress: Report,
): Promise<OpenBundle> => {
  const manifest = await readManifest((await entries.next()).value as FoundEntry | undefined)
  // Checked before unpacking: each entry must have the size that the manifest says.
  const talk = manifest.entries.filter(isConversation).reduce((sum, one) => sum + one.bytes, 0)
  if (talk > limits.allTextBytes) throw hostile('its conversation is larger than it may be')
  const dir = path.join(quarantine, 'entries')
  let done = 0
  for await (const entry of entries) {
    const told = manifest.entries[done]
    if (told?.name !== entry.name || told.bytes !== entry.bytes) throw hostile('its manifest tells of other entries')
    const target = path.join(dir, entry.name)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    const handle = await open(target, 'wx', 0o600)
    try {
      const { sha256 } = await entry.read((part) => handle.appendFile(part))
      if (sha256 !== told.sha256) throw hostile(`${entry.name} is not what its manifest says`)
    } finally {
      await handle.close()
    }
    if (entry.name.endsWith('.jsonl')) await checkLines(target, entry.name)
    onProgress((done += 1), manifest.entries.length)
  }
  if (done < manifest.entries.length) throw hostile('its manifest tells of more entries than there are')
  return {
    manifest,
    pack: manifest.entries.some(({ name }) => name === packName) ? path.join(dir, packName) : null,
    conversation: manifest.entries.filter(isConversation).map(({ name }) => ({
      name: name.slice(conversationPrefix.length),
      read: () => readFile(path.join(dir, name), 'utf8'),
    })),
  }
}

const isConversation = ({ name }: Manifest['entries'][number]): boolean => name.startsWith(conversationPrefix)

/** The manifest of a bundle. */
const readManifest = async (entry: FoundEntry | undefined): Promise<Manifest> => {
  if (entry?.name !== manifestName) throw hostile('it does not begin with its manifest')
  const parts: Buffer[] = []
  await entry.read(async (part) => void parts.push(part))
  const result = Manifest.safeParse(parseHostile(Buffer.concat(parts).toString(), 'its manifest'))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw hostile(`its manifest is wrong at ${issue?.path.join('.').slice(0, 100) || 'its top'}`)
}

const checkLines = async (target: string, name: string): Promise<void> => {
  const lines = new LineSplitter()
  let count = 0
  const check = (part: Buffer): void => {
    const whole = lines.push(part)
    if ((count += whole.length) > limits.lines) throw hostile(`${name} has too many lines`)
    for (const line of whole) {
      if (line.length > limits.lineBytes) throw hostile(`a line of ${name} is too long`)
      const value = line === '' ? {} : parseHostile(line, `a line of ${name}`)
      if (!isObject(value)) throw hostile(`a line of ${name} is no JSON object`)
    }
  }
  // Chunk by chunk, so that the event loop gets a turn.
  for await (const part of createReadStream(target)) check(part as Buffer)
  // The last line may have no line end.
  check(Buffer.from('\n'))
}
