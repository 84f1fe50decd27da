import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { ensurePrivateDir } from '../../base/util/private-dir.ts'

/** A text that a person may trust, and where it was found. */
export interface Text {
  text: string
  /** The directory that it belongs to; empty for one that counts wherever it is. */
  place?: string
}

interface TrustedText {
  hash: string
  place: string
}

/** The file of trusted hashes in the user's own state directory: one per line, with its place if it has one. */
export const trustFile = (state: string): string => path.join(state, 'trusted-rules')

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const keptMax = 10_000

/** The contents of the trust file, oldest first. */
interface Trusted {
  texts: TrustedText[]
  /** The numbers of unreadable lines: they trust nothing, and do not affect the other lines. */
  damaged: number[]
}

export const readTrusted = async (state: string): Promise<Trusted> => {
  const lines = await readLines(state)
  const damaged = lines.flatMap(({ line, text }, index) => (text === null && line !== '' ? [index + 1] : []))
  return { texts: lines.map(({ text }) => text).filter((text) => text !== null), damaged }
}

/** A line of the file and its parsed content; null if it cannot be parsed. */
interface TrustLine {
  line: string
  text: TrustedText | null
}

const readLines = async (state: string): Promise<TrustLine[]> => {
  const content = await readFile(trustFile(state), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return content.split('\n').map((line) => {
    const [, hash, place = '""'] = /^([0-9a-f]{64})(?:\t(".*"))?$/.exec(line) ?? []
    if (hash === undefined) return { line, text: null }
    try {
      return { line, text: { hash, place: JSON.parse(place) as string } }
    } catch {
      return { line, text: null }
    }
  })
}

/** The hashes of all texts that a person has trusted. */
export const trustedHashes = async (state: string): Promise<ReadonlySet<string>> =>
  new Set((await readTrusted(state)).texts.map(({ hash }) => hash))

/** Adds these texts to the trusted ones. */
export const trust = (state: string, texts: readonly Text[]): Promise<void> =>
  holdLock(state, async () => {
    const fresh = texts.map(({ text, place = '' }) => ({ hash: hashOf(text), place }))
    const others = (await readLines(state)).filter(({ text }) => fresh.every(({ hash }) => hash !== text?.hash))
    const lines = fresh.map((text) => {
      const line = text.place === '' ? text.hash : `${text.hash}\t${JSON.stringify(text.place)}`
      return { line, text }
    })
    await writeLines(state, [...others, ...lines])
  })

/** Removes all trust for this place; returns the number of removed texts. */
export const distrust = (state: string, place: string): Promise<number> =>
  holdLock(state, async () => {
    const lines = await readLines(state)
    const kept = lines.filter(({ text }) => text?.place !== place)
    if (kept.length < lines.length) await writeLines(state, kept)
    return lines.length - kept.length
  })

/** Commands and the daemon both write the file: the lock prevents lost updates. */
const holdLock = async <T>(state: string, work: () => Promise<T>): Promise<T> => {
  // A daemon may never have run.
  await mkdir(state, { recursive: true, mode: 0o700 })
  ensurePrivateDir(state)
  // The command line starts without SQLite.
  const { withLock } = await import('../../base/store/lock.ts')
  return withLock(`${trustFile(state)}.lock`, 'Another command that trusts something', work)
}

/** A line that cannot be read stays as it is: a newer Rein may have written it, or a person may repair it. */
const writeLines = async (state: string, lines: readonly TrustLine[]): Promise<void> => {
  const kept = lines.map(({ line }) => line).filter((line) => line !== '')
  const text = kept.slice(-keptMax).map((line) => `${line}\n`)
  await writeFileAtomic(trustFile(state), text.join(''), { mode: 0o600 })
}
