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

/** All that a person has trusted, oldest first. */
export const trustedTexts = async (state: string): Promise<TrustedText[]> => {
  const text = await readFile(trustFile(state), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => {
    const [, hash, place = '""'] = /^([0-9a-f]{64})(?:\t(".*"))?$/.exec(line) ?? []
    return hash === undefined ? [] : [{ hash, place: JSON.parse(place) as string }]
  })
}

/** The hashes of all texts that a person has trusted. */
export const trustedHashes = async (state: string): Promise<ReadonlySet<string>> =>
  new Set((await trustedTexts(state)).map(({ hash }) => hash))

/** From now on these very texts count. */
export const trust = async (state: string, texts: readonly Text[]): Promise<void> => {
  const fresh = texts.map(({ text, place = '' }) => ({ hash: hashOf(text), place }))
  const others = (await trustedTexts(state)).filter(({ hash }) => fresh.every((one) => one.hash !== hash))
  await keep(state, [...others, ...fresh])
}

/** Takes back what was trusted for this place; how much that was. */
export const distrust = async (state: string, place: string): Promise<number> => {
  const all = await trustedTexts(state)
  const kept = all.filter((one) => one.place !== place)
  if (kept.length < all.length) await keep(state, kept)
  return all.length - kept.length
}

const keep = async (state: string, texts: readonly TrustedText[]): Promise<void> => {
  ensurePrivateDir(state)
  // Nobody may have started a daemon yet.
  await mkdir(state, { recursive: true, mode: 0o700 })
  const lines = texts
    .slice(-keptMax)
    .map(({ hash, place }) => (place === '' ? hash : `${hash}\t${JSON.stringify(place)}`))
  await writeFileAtomic(trustFile(state), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}
