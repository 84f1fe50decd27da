import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { parseObject } from '../../base/util/json.ts'

const text = z.string()
const path = z.array(text)
const Part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path: text, content: text, executable: z.boolean() }),
  z.object({ kind: z.literal('json-items'), path: text, at: path, items: z.array(z.unknown()), marker: text }),
  z.object({ kind: z.literal('json-key'), path: text, at: path, value: z.unknown() }),
  z.object({ kind: z.literal('toml-table'), path: text, table: path, values: z.record(text, z.unknown()) }),
  z.object({ kind: z.literal('text-block'), path: text, text }),
])

/** The owner of a deployment: one CLI in one project, or everywhere. */
const Owner = z.object({
  driver: text,
  scope: z.enum(['project', 'user']),
  /** The project's directory; empty for the user's scope. */
  project: text,
})

const Installation = Owner.extend({
  /** Version of the agent CLI. */
  cli: text,
  /** Version of Rein. */
  rein: text,
  /** In files that others get with the repository; older registers have no choice, and shared all. */
  isShared: z.boolean().default(true),
  /** `rein` led to this Rein when it was set up. */
  isOnPath: z.boolean().default(false),
  /** The variables that decided where things are; null: not set. */
  env: z.record(text, text.nullable()),
})

const FileEntry = z.object({
  /** Where the bytes are, links resolved. */
  target: text,
  /** Hash of the bytes without anything of Rein's; null: no file. They are in the backup of this name. */
  before: text.nullable(),
  /** Hash of what was there when Rein last wrote: true if that was broken off. */
  previous: text.nullable(),
  /** Hash of what Rein wrote. */
  after: text.nullable(),
  /** Objects and lists of a JSON file that Rein made. */
  made: z.array(path),
  parts: z.array(z.object({ owner: Owner, deployment: Part })),
})

const format = 1
const Register = z.object({
  format: z.literal(format),
  installations: z.array(Installation),
  files: z.array(FileEntry),
  /** Directories that Rein made. */
  directories: z.array(text),
})

export type Owner = z.infer<typeof Owner>
export type Installation = z.infer<typeof Installation>
export type OwnedPart = { owner: Owner; deployment: Deployment }
export type FileEntry = Omit<z.infer<typeof FileEntry>, 'parts'> & { parts: OwnedPart[] }
export type Register = Omit<z.infer<typeof Register>, 'files'> & { files: FileEntry[] }

export const isOwner = (one: Owner, other: Owner): boolean =>
  one.driver === other.driver && one.scope === other.scope && one.project === other.project

const fileIn = (state: string): string => join(state, 'deployments.json')

export const readRegister = (state: string): Register => {
  let content = ''
  try {
    content = readFileSync(fileIn(state), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    return { format, installations: [], files: [], directories: [] }
  }
  const result = Register.safeParse(parseObject(content))
  if (result.success) return result.data
  throw new ReinError(
    'refused',
    `${fileIn(state)} is not understood: it is damaged, or of a newer Rein.`,
    'Use the newest Rein you have, or move the file away: then what is deployed counts as not deployed.',
  )
}

export const writeRegister = (state: string, register: Register): Promise<void> =>
  writeFileAtomic(fileIn(state), `${JSON.stringify(register, null, 2)}\n`)
