import { z } from 'zod'
import { handlePattern, turnPattern } from '../../../contract/handle.ts'
import { formatVersion, isEntryName } from './container.ts'
import { limits } from './limits.ts'
import { isSafePath } from './paths.ts'

const id = z.string().regex(/^[0-9a-f]{40}$/)
const time = z.number().int().min(0).max(8.64e15)
const count = z.number().int().min(0)
const text = (most: number) => z.string().max(most)
const path = z.string().refine(isSafePath)
/** A directory among them ends with a slash. */
const pathOrDir = z.string().refine((one) => isSafePath(one.replace(/\/$/, '')))

/** The files after a turn. */
export const BundleFiles = z.strictObject({
  tree: id,
  /** Permissions that git has no place for. */
  modes: z.array(z.tuple([pathOrDir, z.number().int().min(0).max(0o777)])).max(limits.files),
  emptyDirs: z.array(path).max(limits.files),
  head: id.nullable(),
  branch: text(1000).nullable(),
})
export type BundleFiles = z.infer<typeof BundleFiles>

export const BundleTurn = z.strictObject({
  label: z.string().regex(turnPattern),
  prompt: text(100_000),
  /** The last words of the agent. */
  reply: text(100_000),
  tools: z.array(z.strictObject({ name: text(200), count })).max(500),
  model: text(200).nullable(),
  startedAt: time,
  endedAt: time,
  files: BundleFiles.nullable(),
})
export type BundleTurn = z.infer<typeof BundleTurn>

const SecretCount = z.strictObject({ entry: text(4096), kind: text(100), count })

/** What a bundle says of itself. */
export const Manifest = z.strictObject({
  format: z.literal(formatVersion),
  rein: text(100),
  driver: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  cli: text(100),
  madeAt: time,
  session: z.string().regex(/^ses_[0-9a-f]{12}$/),
  agent: z.string().regex(handlePattern),
  /** The repository that it was held in, by its first commit; the remote is for people to read. */
  repository: z.strictObject({ remote: text(2000).nullable(), root: id }).nullable(),
  /** The pack has only what this commit has not; null if it has everything. */
  base: id.nullable(),
  from: z.strictObject({ conversation: text(200), root: z.string().max(limits.pathBytes).startsWith('/') }),
  /** Where in the work tree the agent was. */
  at: z.union([z.literal(''), path]),
  isRedacted: z.boolean(),
  secrets: z.array(SecretCount).max(100_000),
  leftOut: z.array(z.strictObject({ path: text(limits.pathBytes * 2), reason: text(200) })).max(100_000),
  /** The files before the first of the turns. */
  start: BundleFiles.nullable(),
  turns: z.array(BundleTurn).min(1).max(limits.turns),
  entries: z
    .array(
      z.strictObject({
        name: z.string().refine(isEntryName),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(limits.entries),
})
export type Manifest = z.infer<typeof Manifest>

/** All trees of files, each once. */
export const treesOf = (files: readonly (BundleFiles | null)[]): string[] => [
  ...new Set(files.flatMap((one) => (one === null ? [] : [one.tree]))),
]
