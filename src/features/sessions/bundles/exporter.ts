import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import type { Progress } from '../../../contract/routes/route.ts'
import type { CarriedFile } from '../../../drivers/contract.ts'
import { createGit, type Env } from '../snapshots/git.ts'
import { type Plain, plainOf } from '../snapshots/plain.ts'
import type { Shadow } from '../snapshots/shadow.ts'
import { shadowPlace } from '../snapshots/shadow-dir.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { version } from '../../../base/util/version.ts'
import { noBase, readBase } from './base-tree.ts'
import { Cleaner } from './cleaner.ts'
import {
  conversationPrefix,
  formatVersion,
  manifestName,
  type NewEntry,
  packName,
  writeContainer,
} from './container.ts'
import { type BundleFiles, type BundleTurn, Manifest, treesOf } from './manifest.ts'
import { originOf, refuseSha256, sharedCommit } from './origin.ts'
import { isSafePath } from './paths.ts'
import { packTrees, sizeOf, withObjects } from './packs.ts'
import { type LeftOut, TreeCleaner } from './tree-cleaner.ts'
import { freeName } from '../../../base/util/free-name.ts'
import { quoted } from '../../../base/util/shell.ts'

/** A turn and the snapshot after it. */
type TurnToExport = Omit<BundleTurn, 'files'> & { snapshot: string | null }

export interface ExportRequest extends Pick<Manifest, 'driver' | 'cli' | 'session' | 'agent' | 'at'> {
  file: string
  isRedacting: boolean
  /** The work tree whose files are exported; null if no turn has any. */
  root: string | null
  /** The snapshot before the first turn. */
  start: string | null
  turns: TurnToExport[]
  /** The conversation, and what it is called there. */
  conversation: { id: string; pack(scratch: string): Promise<CarriedFile[]> }
  cwd: string
}

interface ExportPorts {
  shadow(root: string): Promise<Shadow>
  /** A directory for temporary files. */
  scratch: string
  newId(prefix: string): string
  now(): number
  env: Env
  onProgress(progress: Progress): void
}

interface Exported {
  manifest: Manifest
  bytes: number
  sha256: string
}

/** Writes a session into one file, completely or not at all. */
export const exportBundle = async (ports: ExportPorts, request: ExportRequest): Promise<Exported> => {
  refuseExisting(request.file)
  const scratch = path.join(ports.scratch, ports.newId('exp'))
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  try {
    return await writeBundle(ports, request, scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const refuseExisting = (file: string): void => {
  if (!existsSync(file)) return
  const { dir, name, ext } = path.parse(file)
  const free = freeName(path.join(dir, name), (one) => existsSync(`${one}${ext}`))
  throw new ReinError('refused', `${file} is there already.`, `This name is free: -o ${quoted(`${free}${ext}`)}`)
}

const writeBundle = async (ports: ExportPorts, request: ExportRequest, scratch: string): Promise<Exported> => {
  const cleaner = new Cleaner(request.isRedacting)
  ports.onProgress({ what: 'reading the conversation', done: 0, total: 0 })
  const talk = path.join(scratch, 'talk')
  await mkdir(talk, { recursive: true, mode: 0o700 })
  const entries = (await request.conversation.pack(talk)).map((file): HashedEntry => {
    const name = `${conversationPrefix}${file.name}`
    const content = Buffer.from(cleaner.file(file, name).content)
    return { name, content, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  const files = await packFiles(ports, request, cleaner, scratch)
  if (files.pack !== null) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(files.pack)) hash.update(chunk as Buffer)
    const content = createReadStream(files.pack)
    entries.push({ name: packName, content, bytes: await sizeOf(files.pack), sha256: hash.digest('hex') })
  }
  const { session, agent, driver, cli, at } = request
  const manifest = Manifest.parse({
    format: formatVersion,
    rein: version,
    driver,
    cli,
    session,
    agent,
    at,
    madeAt: ports.now(),
    repository: cleaner.value(manifestName, files.repository),
    base: files.base,
    from: {
      conversation: request.conversation.id,
      root: cleaner.value(manifestName, { root: request.root ?? request.cwd }).root,
    },
    isRedacted: request.isRedacting,
    leftOut: files.leftOut,
    start: files.start,
    turns: request.turns.map(({ snapshot, ...turn }) => ({
      ...turn,
      ...cleaner.value(manifestName, { prompt: turn.prompt, reply: turn.reply, tools: turn.tools }),
      files: files.of(snapshot),
    })),
    secrets: cleaner.secrets,
    entries: entries.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  } satisfies Manifest)
  ports.onProgress({ what: 'writing the bundle', done: 0, total: 0 })
  return { manifest, ...(await write(request.file, manifest, entries)) }
}

interface HashedEntry extends NewEntry {
  sha256: string
}

interface PackedFiles extends Pick<Manifest, 'repository' | 'base' | 'start'> {
  pack: string | null
  leftOut: LeftOut[]
  of(snapshot: string | null): BundleFiles | null
}

const none: PackedFiles = { repository: null, base: null, start: null, pack: null, leftOut: [], of: () => null }

const packFiles = async (
  ports: ExportPorts,
  { root, start, turns }: ExportRequest,
  cleaner: Cleaner,
  scratch: string,
): Promise<PackedFiles> => {
  const ids = [...new Set([start, ...turns.map(({ snapshot }) => snapshot)].filter((id) => id !== null))]
  if (root === null || ids.length === 0) return none
  const shadow = await ports.shadow(root)
  const origin = await originOf(root, ports.env)
  if (origin !== null) refuseSha256(origin.repository)
  return shadow.lend(async (store, dir) => {
    const plains = new Map<string, Plain>()
    for (const id of ids) plains.set(id, await plainOf(store, id))
    const head = plains.get(ids.at(-1) ?? '')?.head ?? null
    const base = origin === null || head === null ? null : await sharedCommit(origin.repository, head)
    const baseTree = base === null || origin === null ? noBase : await readBase(origin.repository.git, base)
    const trees = new TreeCleaner(store, cleaner, baseTree)
    const cleaned = new Map<string, BundleFiles>()
    for (const [index, [id, plain]] of [...plains].entries()) {
      ports.onProgress({ what: 'looking through the files', done: index, total: plains.size })
      const tree = await trees.clean(plain.files)
      const gone = new Set(trees.leftOut.map(({ path: one }) => one))
      const isLeft = (one: string): boolean =>
        isSafePath(one.replace(/\/$/, '')) && cleaner.text('names of files', one) === one && !gone.has(one)
      const modes = plain.modes
        .filter(([one]) => isLeft(one))
        .map(([one, mode]): [string, number] => [one, mode & 0o777])
      const branch = plain.branch === null ? null : cleaner.text(manifestName, plain.branch)
      cleaned.set(id, { tree, modes, emptyDirs: plain.emptyDirs.filter(isLeft), head: plain.head, branch })
    }
    const of = (id: string | null): BundleFiles | null => cleaned.get(id ?? '') ?? null
    ports.onProgress({ what: 'packing the files', done: 0, total: 0 })
    const git = createGit(withObjects(shadowPlace(dir), origin?.repository.objects ?? null))
    const pack = await packTrees(git, treesOf([...cleaned.values()]), base, path.join(scratch, 'pack'), 'small')
    return { repository: origin?.identity ?? null, base, start: of(start), pack, leftOut: trees.leftOut, of }
  })
}

const write = async (
  file: string,
  manifest: Manifest,
  entries: readonly NewEntry[],
): Promise<Omit<Exported, 'manifest'>> => {
  const content = Buffer.from(JSON.stringify(manifest))
  const hash = createHash('sha256')
  const all = [{ name: manifestName, content, bytes: content.length }, ...entries]
  const parts = async function* (): AsyncGenerator<Buffer> {
    for await (const part of writeContainer(all)) {
      hash.update(part)
      yield part
    }
  }
  await writeFileAtomic(file, parts(), { beforeRename: () => refuseExisting(file) })
  return { bytes: await sizeOf(file), sha256: hash.digest('hex') }
}
