import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../util/atomic-write.ts'
import { ensurePrivateDir } from '../util/private-dir.ts'

/** Something that a person may trust: what it says, and where it was found. */
export interface Text {
  text: string
  /** The directory that it belongs to; empty for one that counts wherever it is. */
  place?: string
}

export interface TrustedText {
  hash: string
  place: string
}

/** Where the hashes of trusted texts are: one to a line, each with its place if it has one, in the state directory, which is the user's alone. */
export const trustFile = (state: string): string => path.join(state, 'trusted-rules')

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const keptMax = 10_000

/** What the file of trust says, oldest first. */
export interface Trusted {
  texts: TrustedText[]
  /** The numbers of its lines that cannot be read: they make nothing trusted, and keep nothing else from being so. */
  damaged: number[]
}

export const readTrusted = async (state: string): Promise<Trusted> => {
  const text = await readFile(trustFile(state), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const texts: TrustedText[] = []
  const damaged: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const read = readLine(line)
    if (read !== null) texts.push(read)
    else if (line !== '') damaged.push(index + 1)
  }
  return { texts, damaged }
}

const readLine = (line: string): TrustedText | null => {
  const [, hash, place = '""'] = /^([0-9a-f]{64})(?:\t(".*"))?$/.exec(line) ?? []
  if (hash === undefined) return null
  try {
    return { hash, place: JSON.parse(place) as string }
  } catch {
    return null
  }
}

/** The hashes of all texts that a person has trusted. */
export const trustedHashes = async (state: string): Promise<ReadonlySet<string>> =>
  new Set((await readTrusted(state)).texts.map(({ hash }) => hash))

/** From now on these very texts count. */
export const trust = (state: string, texts: readonly Text[]): Promise<void> =>
  alone(state, async () => {
    const fresh = texts.map(({ text, place = '' }) => ({ hash: hashOf(text), place }))
    const others = (await readTrusted(state)).texts.filter(({ hash }) => fresh.every((one) => one.hash !== hash))
    await keep(state, [...others, ...fresh])
  })

/** Takes back what was trusted for this place; how much that was. */
export const distrust = (state: string, place: string): Promise<number> =>
  alone(state, async () => {
    const { texts } = await readTrusted(state)
    const kept = texts.filter((one) => one.place !== place)
    if (kept.length < texts.length) await keep(state, kept)
    return texts.length - kept.length
  })

/** Commands and the daemon write it: whoever reads before writing must not lose what another one adds, or takes back, meanwhile. */
const alone = async <T>(state: string, work: () => Promise<T>): Promise<T> => {
  // Nobody may have started a daemon yet.
  await mkdir(state, { recursive: true, mode: 0o700 })
  ensurePrivateDir(state)
  // The command line starts without SQLite.
  const { withLock } = await import('../store/lock.ts')
  return withLock(`${trustFile(state)}.lock`, 'Another command that trusts something', work)
}

const keep = async (state: string, texts: readonly TrustedText[]): Promise<void> => {
  const lines = texts
    .slice(-keptMax)
    .map(({ hash, place }) => (place === '' ? hash : `${hash}\t${JSON.stringify(place)}`))
  await writeFileAtomic(trustFile(state), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}
