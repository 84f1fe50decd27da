import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Position } from '../../base/config/toml-layout.ts'
import { storageError } from '../../base/store/failure.ts'
import { dropBackup, hashOf, keepBackup, readBackup } from './backup.ts'
import { unifiedDiff } from './diff.ts'
import { type Known, type Plan, plan } from './plan.ts'
import { Refusal } from './refusal.ts'
import { type FileEntry, type OwnedPart, type Register, writeRegister } from './register.ts'
import { readTarget, refuseReadOnly, type Target, textOfBytes } from './target.ts'
import { isSameBytes, Overtaken, writeTarget } from './write-target.ts'

export interface Outcome {
  /** As the CLI knows it. */
  path: string
  drivers: string[]
  what: 'created' | 'changed' | 'unchanged' | 'restored' | 'cleaned' | 'removed' | 'refused'
  place: Position | null
  reason: string | null
  diff: string
}

interface Workplace {
  state: string
  register: Register
  dryRun: boolean
}

const maxAttempts = 20

/** Makes one file hold exactly these parts of Rein, whatever it held before. */
export const reconcile = async (place: Workplace, target: string, wanted: readonly OwnedPart[]): Promise<Outcome> => {
  const entry = place.register.files.find((file) => file.target === target)
  const owned = wanted.length > 0 ? wanted : (entry?.parts ?? [])
  const about = { path: owned[0]?.deployment.path ?? target, drivers: [...new Set(owned.map((p) => p.owner.driver))] }
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const done = await tryOnce(place, target, entry, wanted)
      if (done !== null) return { ...about, ...done, diff: done.diff(about.path) }
    }
    throw new Refusal('is being written by another program all the time')
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    return { ...about, what: 'refused', place: cause.place, reason: cause.message, diff: '' }
  }
}

type Done = Omit<Outcome, 'path' | 'drivers' | 'diff'> & { diff: (path: string) => string }

/** Null if another program wrote the file in the meantime. */
const tryOnce = async (
  place: Workplace,
  target: string,
  entry: FileEntry | undefined,
  wanted: readonly OwnedPart[],
): Promise<Done | null> => {
  const before = readTarget(target)
  const text = before.bytes === null ? null : textOfBytes(before.bytes)
  let known: Known | null = null
  if (entry !== undefined) {
    const base = readBackup(place.state, entry.before)
    known = {
      base: base === null ? null : textOfBytes(base),
      parts: entry.parts.map(({ deployment }) => deployment),
      made: entry.made,
      isUntouched: [entry.before, entry.previous, entry.after].includes(hashOf(before.bytes)),
    }
  }
  const planned = plan(
    text,
    known,
    wanted.map(({ deployment }) => deployment),
  )
  const after = bytesOf(planned.after)
  const isChange = !isSameBytes(before.bytes, after)
  if (isChange) refuseReadOnly(before)
  const next = entryOf(target, before, planned, after, wanted)
  try {
    if (!place.dryRun) await writeChange(place, before, next, after, isChange)
  } catch (cause) {
    if (cause instanceof Overtaken) return null
    throw cause
  }
  const reason = planned.kept.length === 0 ? null : `${planned.kept.join(', ')} was changed since and stays`
  let what: Outcome['what'] = known?.isUntouched === true ? 'restored' : 'cleaned'
  if (!isChange) what = planned.kept.length > 0 ? 'refused' : 'unchanged'
  else if (before.bytes === null) what = 'created'
  else if (planned.after === null) what = 'removed'
  else if (wanted.length > 0) what = 'changed'
  return { what, place: null, reason, diff: (path) => unifiedDiff(path, text, planned.after) }
}

const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text))

const entryOf = (
  target: string,
  before: Target,
  planned: Plan,
  after: Buffer | null,
  wanted: readonly OwnedPart[],
): FileEntry & { base: Buffer | null } => {
  const base = bytesOf(planned.base)
  return {
    target,
    before: hashOf(base),
    previous: hashOf(before.bytes),
    after: hashOf(after),
    made: planned.made,
    parts: [...wanted],
    base,
  }
}

const asStorageError = (cause: unknown): never => {
  throw storageError(cause)
}

/** The register comes first: if this process dies, the next one knows what is Rein's. */
const writeChange = async (
  place: Workplace,
  before: Target,
  { base, ...next }: ReturnType<typeof entryOf>,
  after: Buffer | null,
  isChange: boolean,
): Promise<void> => {
  const { state, register } = place
  const earlier = structuredClone({ files: register.files, directories: register.directories })

  const save = (): Promise<void> => writeRegister(state, register).catch(asStorageError)
  if (next.parts.length > 0) {
    await keepBackup(state, base).catch(asStorageError)
    register.directories.push(...missingDirectories(next.target))
    register.files = [...register.files.filter(({ target }) => target !== next.target), next]
    await save()
  }
  try {
    const isProgram = next.parts.some(({ deployment }) => deployment.kind === 'file' && deployment.executable)
    if (isChange) await writeTarget(next.target, before, after, isProgram ? 0o755 : 0o644)
  } catch (cause) {
    Object.assign(register, earlier)
    await save()
    throw cause
  }
  if (next.parts.length > 0) return
  register.files = register.files.filter(({ target }) => target !== next.target)
  await save()
  const used = new Set(register.files.map((file) => file.before))
  for (const file of earlier.files) if (!used.has(file.before)) dropBackup(state, file.before)
}

const missingDirectories = (file: string): string[] => {
  const dir = dirname(file)
  return existsSync(dir) ? [] : [...missingDirectories(dir), dir]
}
