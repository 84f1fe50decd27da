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

/** A recording in an untrusted file. */
interface BundleSource extends CheckPorts {
  file: string
  /** The directory in which to look for a clone of its repository. */
  cwd: string
}

/** Unpacks the bundle into a directory of its own, which is removed afterwards. */
export const withBundle = async <T>(
  source: BundleSource,
  range: TurnRange,
  work: (recording: Recording) => Promise<T>,
): Promise<T> => {
  const scratch = await mkdtemp(path.join(await realpath(tmpdir()), 'rein-bundle-'))
  try {
    // Checks the bundle as an import does, before anything of it is used.
    const { file, cwd, env, onProgress } = source
    const bundle = await openBundle(file, scratch, (done, total) =>
      onProgress({ what: 'reading the bundle', done, total }),
    )
    const { manifest } = bundle
    const { session, agent, driver, cli, at } = manifest
    const { root } = manifest.from
    // Every command contains this path in place of the scratch directory: spaces or shell syntax would run another command than is shown.
    if (/[^\p{L}\p{N}/._@+,-]/u.test(`${root}/${at}`) || path.normalize(root) !== root)
      throw hostile('the directory that it was held in has an unusual name')
    const clone = await findClone(manifest, cwd, env)
    const files = await checkFiles(source, bundle, clone, scratch)
    const { shadow, snapshots } = await adopt(files, manifest, clone, scratch, env)
    const talk = await unpack(bundle, scratch)
    const spans = spansOf((await readConversation(findDriver(driver), talk.transcript)).entries)
    const turns = listTurns(manifest, spans, talk, snapshots)
    const end = range.to === undefined ? turns.length - 1 : turns.findIndex(({ label }) => label === range.to)
    if (end < 0) {
      const labels = turns.map(({ label }) => label).join(', ')
      throw new ReinError('not_found', `There is no turn ${range.to} in this bundle.`, `It has: ${labels}.`)
    }
    const review = files.plains.flatMap(({ news }) => reviewOf(news))
    // The permission mode of then is unknown, and would not count: questions are answered as they were then.
    const known = {
      session,
      agent,
      driver,
      version: cli,
      program: null,
      at,
      cwd: path.join(root, at),
      include: '',
      maxFileBytes: null,
      turns: turns.slice(0, end + 1),
      here: clone?.root ?? null,
      isForeign: true,
      review: sortReview([...new Map(review.map((one) => [one.path, one])).values()]),
    }
    return await work(await recordingOf(known, range.from ?? manifest.turns[0]?.label, async () => shadow))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

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
  for (const { plain } of files.plains) {
    let [head, branch]: [string | null, string | null] = [null, null]
    if (clone !== null && plain.head !== null) {
      // The commit of then if the clone has it, else the one that the bundle builds on.
      head = (await hasCommit(clone, plain.head)) ? plain.head : manifest.base
      const ref = plain.branch === null ? null : `refs/heads/${plain.branch}`
      if (ref !== null && (await clone.git(['check-ref-format', ref], { answers: [1] })).code === 0)
        branch = plain.branch
    }
    plains.push({ ...plain, head, branch })
  }
  const adopted = await shadow.adopt((own) => bring(files, own.objects, plains), plains)
  return { shadow, snapshots: new Map(adopted.map((one, at) => [files.plains[at]?.label ?? '', one])) }
}

interface Talk {
  conversation: string
  transcript: string
}

/** Installs the conversation as its CLI would keep it, in a scratch home. */
const unpack = async (bundle: OpenBundle, scratch: string): Promise<Talk> => {
  const { driver, from } = bundle.manifest
  const { carry, title } = findDriver(driver)
  if (carry === null) throw new ReinError('refused', `${title}: its conversations cannot be carried.`)
  const [files, env] = [bundle.conversation, { HOME: path.join(scratch, 'home') }]
  // Its paths stay as they are: they are mapped when it is played.
  return carry.unpack({ files, newConversation: randomUUID(), from, root: from.root, cwd: scratch, env })
}

/** The turns of the bundle are the last ones of its conversation; earlier turns have no files. */
const listTurns = (
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
    // The name is passed to the CLI, so it must look like one.
    const isName = model !== null && /^\w[\w.:/@[\]-]*$/.test(model)
    return { ...talk, ...span, label, model: isName ? model : null, before, after }
  })
}
