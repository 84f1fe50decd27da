import { createReadStream } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ArrivingFile } from '../../../drivers/contract.ts'
import { isObject } from '../../../base/util/json.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { conversationPrefix, type FoundEntry, manifestName, packName, readContainer } from './container.ts'
import { hostile, limits, parseHostile } from './limits.ts'
import { Manifest } from './manifest.ts'

/** A bundle that is what it says, in a directory of its own. */
export interface OpenBundle {
  manifest: Manifest
  /** The pack of its files; null if it has none. */
  pack: string | null
  /** To be read one after the other, as long as that directory is there. */
  conversation: ArrivingFile[]
}

type Report = (done: number, total: number) => void

/** Everything is compared with the manifest and looked at line by line; nothing of it is used before. */
export const openBundle = async (file: string, quarantine: string, onProgress: Report): Promise<OpenBundle> => {
  const entries = readContainer(file)
  try {
    return await unpacked(entries, quarantine, onProgress)
  } finally {
    // The file is closed also where the manifest alone is reason to refuse it.
    await entries.return(undefined)
  }
}

const unpacked = async (
  entries: AsyncGenerator<FoundEntry>,
  quarantine: string,
  onProgress: Report,
): Promise<OpenBundle> => {
  const manifest = await readManifest((await entries.next()).value as FoundEntry | undefined)
  refuseLongTalk(manifest)
  const dir = path.join(quarantine, 'entries')
  let done = 0
  for await (const entry of entries) {
    const told = manifest.entries[done]
    if (told?.name !== entry.name || told.bytes !== entry.bytes) throw hostile('its manifest tells of other entries')
    const target = path.join(dir, entry.name)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    if ((await store(entry, target)) !== told.sha256) throw hostile(`${entry.name} is not what its manifest says`)
    if (entry.name.endsWith('.jsonl')) await checkLines(target, entry.name)
    onProgress((done += 1), manifest.entries.length)
  }
  if (done < manifest.entries.length) throw hostile('its manifest tells of more entries than there are')
  const names = manifest.entries.map(({ name }) => name)
  return {
    manifest,
    pack: names.includes(packName) ? path.join(dir, packName) : null,
    conversation: names.filter(isOfConversation).map((name) => ({
      name: name.slice(conversationPrefix.length),
      read: () => readFile(path.join(dir, name), 'utf8'),
    })),
  }
}

/** What a bundle says of itself, when all else is as it says. */
export const readManifest = async (entry: FoundEntry | undefined): Promise<Manifest> => {
  if (entry?.name !== manifestName) throw hostile('it does not begin with its manifest')
  const parts: Buffer[] = []
  await entry.read(async (part) => void parts.push(part))
  const result = Manifest.safeParse(parseHostile(Buffer.concat(parts).toString(), 'its manifest'))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw hostile(`its manifest is wrong at ${issue?.path.join('.').slice(0, 100) || 'its top'}`)
}

const store = async (entry: FoundEntry, target: string): Promise<string> => {
  const handle = await open(target, 'wx', 0o600)
  try {
    return (await entry.read((part) => handle.appendFile(part))).sha256
  } finally {
    await handle.close()
  }
}

/** A piece at a time, so that others can do something, too. */
const checkLines = async (target: string, name: string): Promise<void> => {
  const lines = new LineSplitter()
  let count = 0
  for await (const part of ended(createReadStream(target))) {
    const whole = lines.push(part)
    if ((count += whole.length) > limits.lines) throw hostile(`${name} has too many lines`)
    for (const line of whole) checkLine(line, name)
  }
}

/** The last line may have no end. */
async function* ended(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* parts
  yield Buffer.from('\n')
}

const checkLine = (line: string, name: string): void => {
  if (line.length > limits.lineBytes) throw hostile(`a line of ${name} is too long`)
  const value = line === '' ? {} : parseHostile(line, `a line of ${name}`)
  if (!isObject(value)) throw hostile(`a line of ${name} is no JSON object`)
}

const isOfConversation = (name: string): boolean => name.startsWith(conversationPrefix)

/** Before any of it is unpacked: each entry has to be as long as it is said here. */
const refuseLongTalk = ({ entries }: Manifest): void => {
  const bytes = entries.reduce((sum, one) => sum + (isOfConversation(one.name) ? one.bytes : 0), 0)
  if (bytes > limits.allTextBytes) throw hostile('its conversation is larger than it may be')
}
