import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import type { z } from 'zod'
import { type Arriving, type Arrived, importBundle } from './bundles/importer.ts'
import type { Manifest } from './bundles/manifest.ts'
import { openBundle } from './bundles/open-bundle.ts'
import { summaryOf } from './bundles/summary.ts'
import type { ImportedView, ImportInput, InspectedView, InspectInput } from '../../contract/routes/bundles.ts'
import type { Progress, ProgressLine } from '../../contract/routes/route.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { ArrivingFile, ConversationCarry } from '../../drivers/contract.ts'
import { findDriver } from '../../drivers/registry.ts'
import { findFile } from './snapshots/find-file.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { groupBy } from '../../base/util/group.ts'
import { bundleView } from './bundle-view.ts'
import { findCli, launchContext } from '../../agents/launch/launch-context.ts'
import type { SessionParts } from './parts.ts'
import { inLines, quoted } from './move-handlers.ts'
import { translated } from './handlers.ts'
import { longestHandle } from '../../contract/handle.ts'
import { freeName } from '../../base/util/free-name.ts'

type Input = z.infer<typeof ImportInput>
type Report = (progress: Progress) => void

export async function* inspectBundle(
  { paths, newId }: SessionParts,
  { file }: z.infer<typeof InspectInput>,
): AsyncGenerator<ProgressLine<InspectedView>> {
  const quarantine = join(paths.state, 'quarantine', newId('imp'))
  yield* inLines(async (report) => {
    await mkdir(quarantine, { recursive: true, mode: 0o700 })
    try {
      const { manifest } = await openBundle(file, quarantine, (done, total) => report({ what: 'reading', done, total }))
      return { file, bytes: (await stat(file)).size, bundle: bundleView(manifest) }
    } finally {
      await rm(quarantine, { recursive: true, force: true })
    }
  })
}

export async function* importSession(
  parts: SessionParts,
  actor: Actor,
  input: Input,
): AsyncGenerator<ProgressLine<ImportedView>> {
  yield* inLines((report) => importOne(parts, actor, input, report).catch(translated))
}

const importOne = async (
  parts: SessionParts,
  actor: Actor,
  input: Input,
  onProgress: Report,
): Promise<ImportedView> => {
  const { shadows, paths, newId } = parts
  const ports = {
    shadow: (root: string) => shadows.of(root),
    quarantine: join(paths.state, 'quarantine'),
    newId,
    env: process.env,
    onProgress,
    check: (manifest: Manifest) => checkDriver(parts, manifest, input),
    takeUp: (manifest: Manifest, dir: string, files: readonly ArrivingFile[]) =>
      takeUp(parts, input, manifest, dir, files),
  }
  const { file, into, yes, full } = input
  const request = {
    file,
    dir: into ?? (await parts.finder.placed(input)).cwd,
    isNamed: into !== undefined,
    isAgreed: yes,
    isFull: full,
  }
  if (input.handle !== undefined) freeHandle(parts, input.handle, input.handle)
  const arriving = await importBundle(ports, request)
  const { manifest, place, changes, review, done } = arriving
  const here = {
    bundle: bundleView(manifest),
    dir: place.dir,
    cwd: await directoryIn(place.dir, manifest.at),
    changes,
    review,
    agent: freeHandle(parts, input.handle, manifest.agent),
  }
  if (done === null) return { ...here, isDone: false, conversation: null, summary: null, command: null }
  const { conversation } = done
  const summary = conversation === null ? await writeSummary(parts, manifest) : null
  await record(parts, actor, arriving, done)
  const start = `rein up ${here.agent} --driver ${manifest.driver} --cwd ${quoted(here.cwd)}`
  const how = conversation === null ? `--prompt - < ${quoted(summary ?? '')}` : `--resume ${conversation}`
  return { ...here, isDone: true, conversation, summary, command: `${start} ${how}` }
}

/** Where the agent was, if that is a directory here, too; a link could lead anywhere. */
const directoryIn = async (dir: string, at: string): Promise<string> =>
  at !== '' && (await findFile(dir, at))?.isDirectory() === true ? join(dir, at) : dir

/** Before anything is written: whether this CLI is there, and can go on with what is in the bundle. */
const checkDriver = async (parts: SessionParts, { driver: name }: Manifest, input: Input): Promise<void> => {
  const driver = findDriver(name)
  if (!input.full) return
  carryOf(name)
  const host = driver.hosts[0] ?? 'stream'
  const { version } = await findCli(parts, driver, host, input.env)
  if (driver.capabilities(version, host).cut) return
  const reason = driver.reasons(version, host).cut ?? 'its conversations cannot be taken up'
  throw new ReinError('refused', `${driver.title} ${version}: ${reason}.`, 'Go on with a summary: leave --full out.')
}

const carryOf = (name: string): ConversationCarry => {
  const { carry, title } = findDriver(name)
  if (carry !== null) return carry
  throw new ReinError('refused', `${title}: its conversations cannot be carried.`, 'Leave --full out.')
}

/** The whole conversation, where the CLI looks for it. */
const takeUp = async (
  parts: SessionParts,
  { env }: Input,
  manifest: Manifest,
  root: string,
  files: readonly ArrivingFile[],
): Promise<string> => {
  const driver = findDriver(manifest.driver)
  const host = driver.hosts[0] ?? 'stream'
  const installed = await findCli(parts, driver, host, env)
  const cwd = await directoryIn(root, manifest.at)
  const nobody = { id: 'none', handle: 'none', cwd }
  const context = launchContext(parts, driver, host, installed, env, nobody, null)
  const launched = driver.launch({ cwd, env: {}, args: [] }, context)
  const arrival = { files, newConversation: uuid(), from: manifest.from, root, cwd, env: launched.env }
  const { conversation } = await carryOf(manifest.driver).unpack(arrival)
  return conversation
}

const writeSummary = async ({ paths, newId }: SessionParts, manifest: Manifest): Promise<string> => {
  const dir = join(paths.state, 'imports')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, `${newId('imp')}.md`)
  await writeFileAtomic(file, summaryOf(manifest))
  return file
}

/** With these, the turns have their files again as soon as an agent goes on in the conversation. */
const record = async (
  parts: SessionParts,
  actor: Actor,
  { manifest, place, review }: Arriving,
  { snapshots, conversation }: Arrived,
): Promise<void> => {
  const { now, newId, projects } = parts
  const project = await projects.of(place.dir)
  const context = () => ({
    id: newId('rec'),
    at: now(),
    actor,
    agent: null,
    project,
  })
  const root = place.dir
  const turns = manifest.turns.map(({ label }) => label)
  const data = {
    session: manifest.session,
    root,
    turns,
    conversation,
    agreed: [...groupBy(review, (item) => item.class)].map(([name, items]) => ({
      class: name,
      count: items.length,
      paths: items.slice(0, pathsKept).map(({ path }) => path),
    })),
  }
  const imported = newRecord('session.imported', data, context())
  // When each snapshot was taken, by the times that stand in the conversation itself.
  const start = snapshots.get('0')
  const before =
    start === undefined ? [] : [{ cause: 'prompt' as const, at: manifest.turns[0]?.startedAt ?? 0, snapshot: start }]
  const after = manifest.turns.flatMap(({ label, endedAt }, index) => {
    const snapshot = snapshots.get(label)
    const next = manifest.turns[index + 1]?.startedAt ?? Number.MAX_SAFE_INTEGER
    return snapshot === undefined ? [] : [{ cause: 'stop' as const, at: Math.min(endedAt, next - 1), snapshot }]
  })
  const taken = conversation === null ? [] : [...before, ...after]
  const records = taken.map(({ snapshot: { id, tree, head, branch, skipped }, ...moment }) =>
    newRecord(
      'session.snapshot',
      {
        conversation: conversation ?? '',
        ...moment,
        isClean: true,
        root,
        snapshot: { id, tree, head, branch },
        skipped,
      },
      context(),
    ),
  )
  await parts.movePorts.append([imported, ...records] as AnyNewRecord[])
}

/** So many paths of each class are written down by name. */
const pathsKept = 20

/** The one that is asked for, or one like in the bundle. */
const freeHandle = ({ supervisor }: SessionParts, asked: string | undefined, wanted: string): string => {
  const taken = new Set(supervisor.agents.map(({ handle }) => handle))
  const free = (name: string): string => freeName(name, (one) => taken.has(one), longestHandle)
  if (asked !== undefined && taken.has(asked))
    throw new ReinError('handle_taken', `There is an agent ${asked} already.`, `This name is free: --as ${free(asked)}`)
  if (asked !== undefined || !taken.has(wanted)) return asked ?? wanted
  return free(wanted)
}
