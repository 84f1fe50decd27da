import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../util/atomic-write.ts'
import { ensurePrivateDir } from '../util/private-dir.ts'

/** Where the hashes of trusted rule files are: one to a line, in the state directory, which is the user's alone. */
export const trustFile = (state: string): string => path.join(state, 'trusted-rules')

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const keptMax = 10_000

/** The hashes of all texts that a person has trusted. */
export const trustedHashes = async (state: string): Promise<ReadonlySet<string>> => {
  const text = await readFile(trustFile(state), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return new Set(text.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line)))
}

export const isTrusted = async (state: string, text: string): Promise<boolean> =>
  (await trustedHashes(state)).has(hashOf(text))

/** From now on this very text may rewrite calls and run its programs. */
export const trust = async (state: string, texts: readonly string[]): Promise<void> => {
  ensurePrivateDir(state)
  const hashes = new Set([...(await trustedHashes(state)), ...texts.map(hashOf)])
  // Nobody may have started a daemon yet.
  await mkdir(state, { recursive: true, mode: 0o700 })
  await writeFileAtomic(trustFile(state), `${[...hashes].slice(-keptMax).join('\n')}\n`, { mode: 0o600 })
}
