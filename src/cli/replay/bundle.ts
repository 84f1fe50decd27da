import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bring, type CheckedFiles, type CheckPorts, checkFiles } from '../../features/sessions/bundles/checked-files.ts'
import { hostile } from '../../features/sessions/bundles/limits.ts'
import type { Manifest } from '../../features/sessions/bundles/manifest.ts'
import { type OpenBundle, openBundle } from '../../features/sessions/bundles/open-bundle.ts'
import { hasCommit } from '../../features/sessions/bundles/origin.ts'
import { findClone } from '../../features/sessions/bundles/place.ts'
import { reviewOf, sortReview } from '../../features/sessions/bundles/review.ts'
import { ReinError } from '../../contract/errors.ts'
import type { RecordedTree, RecordingTurnView } from '../../contract/routes/replay.ts'
import { findDriver } from '../../drivers/registry.ts'
import type { Plain } from '../../features/sessions/snapshots/plain.ts'
import type { Repository } from '../../features/sessions/snapshots/repository.ts'
import { openShadow, type Shadow, type Snapshot } from '../../features/sessions/snapshots/shadow.ts'
import { readConversation } from './conversation.ts'
import { type Recording, recordingOf, type TurnRange } from './recording.ts'
import { type Span, spansOf } from './spans.ts'

/** A recording that comes in a file of somebody else's. */
export interface BundleSource extends CheckPorts {
  file: string
  /** A clone of its repository is looked for here. */
  cwd: string
}

/** Everything of it lies in a directory of its own, which is gone afterwards. */
export const withBundle = async <T>(
  source: BundleSource,
  range: TurnRange,
  work: (recording: Recording) => Promise<T>,
): Promise<T> => {
  const scratch = await mkdtemp(path.join(await realpath(tmpdir()), 'rein-bundle-'))
  try {
    return await work(await readBundle(source, range, scratch))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Checked as an import does it, before anything of it is read. */
const readBundle = async (source: BundleSource, { from, to }: TurnRange, scratch: string): Promise<Recording> => {
  const { file, cwd, env, onProgress } = source
  const bundle = await openBundle(file, scratch, (done, total) =>
    onProgress({ what: 'reading the bundle', done, total }),
  )
  const { manifest } = bundle
  refuseOddRoot(manifest)
  const clone = await findClone(manifest, cwd, env)
  const files = await checkFiles(source, bundle, clone, scratch)
  const { shadow, snapshots } = await adopt(files, manifest, clone, scratch, env)
  const talk = await unpack(bundle, scratch)
  const spans = spansOf((await readConversation(findDriver(manifest.driver), talk.transcript)).entries)
  const turns = turnsOf(manifest, spans, talk, snapshots)
  const known = { ...viewOf(manifest), turns: upTo(turns, to), here: clone?.root ?? null }
  const review = sortReview(uniqueByPath(files.plains.flatMap(({ news }) => reviewOf(news))))
  return recordingOf({ ...known, isForeign: true, review }, from ?? manifest.turns[0]?.label, async () => shadow)
}

/** It stands for the scratch directory in every command: with spaces or signs of a shell in it, others would be run than are shown. */
const refuseOddRoot = ({ from: { root }, at }: Manifest): void => {
  if (/[^\p{L}\p{N}/._@+,-]/u.test(`${root}/${at}`) || path.normalize(root) !== root)
    throw hostile('the directory that it was held in has an unusual name')
}

/** In which mode somebody else let it work is not known, and would not count: what is asked is answered as it was then. */
const viewOf = ({ session, agent, driver, cli, from, at }: Manifest) => ({
  session,
  agent,
  driver,
  version: cli,
  program: null,
  at,
  cwd: path.join(from.root, at),
  include: '',
  maxFileBytes: null,
})

interface Adopted {
  shadow: Shadow
  /** The files after each turn, by its label; `0` is before the first. */
  snapshots: ReadonlyMap<string, Snapshot>
}

const adopt = async (
  files: CheckedFiles,
  manifest: Manifest,
  clone: Repository | null,
  scratch: string,
  env: BundleSource['env'],
): Promise<Adopted> => {
  const [dir, empty] = [path.join(scratch, 'snapshots'), path.join(scratch, 'tree')]
  for (const one of [dir, empty]) await mkdir(one, { mode: 0o700 })
  const shadow = await openShadow({ dir, tree: clone?.root ?? empty, ports: { now: Date.now, env } })
  const plains: Plain[] = []
  for (const { plain } of files.plains) plains.push({ ...plain, ...(await standingIn(clone, manifest, plain)) })
  const adopted = await shadow.adopt((own) => bring(files, own.objects, plains), plains)
  return { shadow, snapshots: new Map(adopted.map((one, at) => [files.plains[at]?.label ?? '', one])) }
}

/** The commit of then if the clone has it, else the one that the bundle builds on. */
const standingIn = async (
  clone: Repository | null,
  { base }: Manifest,
  { head, branch }: Plain,
): Promise<Pick<Plain, 'head' | 'branch'>> => {
  if (clone === null || head === null) return { head: null, branch: null }
  const isThere = await hasCommit(clone, head)
  const isName = branch !== null && (await isBranchName(clone, branch))
  return { head: isThere ? head : base, branch: isName ? branch : null }
}

const isBranchName = async ({ git }: Repository, branch: string): Promise<boolean> =>
  (await git(['check-ref-format', `refs/heads/${branch}`], { answers: [1] })).code === 0

interface Talk {
  conversation: string
  transcript: string
}

/** Where its CLI would keep it, in a home that nobody has. */
const unpack = async (bundle: OpenBundle, scratch: string): Promise<Talk> => {
  const { driver, from } = bundle.manifest
  const { carry, title } = findDriver(driver)
  if (carry === null) throw new ReinError('refused', `${title}: its conversations cannot be carried.`)
  const [files, env] = [bundle.conversation, { HOME: path.join(scratch, 'home') }]
  // What it says of its directories stays: they are mapped when it is played.
  return carry.unpack({ files, newConversation: randomUUID(), from, root: from.root, cwd: scratch, env })
}

/** Those of the bundle are the last ones of its conversation; of what came before there are no files. */
const turnsOf = (
  { turns, from: { root } }: Manifest,
  spans: readonly Span[],
  talk: Talk,
  snapshots: Adopted['snapshots'],
): RecordingTurnView[] => {
  const earlier = spans.length - turns.length
  if (earlier < 0) throw hostile('it tells of more turns than its conversation has')
  const treeAfter = (label: string | undefined): RecordedTree | null => {
    const found = snapshots.get(label ?? '')
    return found === undefined ? null : { root, snapshot: found.id, tree: found.tree }
  }
  return spans.map((span, index) => {
    const at = index - earlier
    const { label = String(index + 1), model = null } = turns[at] ?? {}
    const before = at < 0 ? null : treeAfter(at === 0 ? '0' : turns[at - 1]?.label)
    const after = at < 0 ? null : treeAfter(label)
    return { ...talk, ...span, label, model: model !== null && isModelName(model) ? model : null, before, after }
  })
}

/** It is given to the CLI. */
const isModelName = (model: string): boolean => /^\w[\w.:/@[\]-]*$/.test(model)

const upTo = (turns: RecordingTurnView[], to: string | undefined): RecordingTurnView[] => {
  const end = to === undefined ? turns.length - 1 : turns.findIndex(({ label }) => label === to)
  if (end >= 0) return turns.slice(0, end + 1)
  const known = turns.map(({ label }) => label).join(', ')
  throw new ReinError('not_found', `There is no turn ${to} in this bundle.`, `It has: ${known}.`)
}

const uniqueByPath = <T extends { path: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((one) => [one.path, one])).values(),
]
