import type { ReviewItem } from '../../features/sessions/bundles/review.ts'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import type { RecordedTree, RecordingTurnView, RecordingView } from '../../contract/routes/replay.ts'
import type { Driver, Offline } from '../../drivers/contract.ts'
import { findDriver } from '../../drivers/registry.ts'
import { openShadow, type Shadow } from '../../features/sessions/snapshots/shadow.ts'
import type { RecordedHelper } from '../../sim/recorded.ts'
import { type Conversation, readConversation, readSubagents } from './conversation.ts'
import { helperOf, type RecordedTurn, turnBetween } from './recorded-turn.ts'

/** A daemon with the recording in its log, and the snapshots in its state directory. */
interface Source {
  client: Pick<Client, 'recording'>
  state: string
  target: string
  cwd: string
}

export interface TurnRange {
  from: string | undefined
  to: string | undefined
}

export interface PlayableTurn extends RecordingTurnView {
  turn: RecordedTurn
}

/** A session, from a daemon or from a bundle. */
interface Known extends Omit<RecordingView, 'maxFileBytes'> {
  /** Null if unknown: then the default. */
  maxFileBytes: number | null
  /** The agent's directory, relative to the work tree. */
  at: string
  /** The work tree on this machine; null if it is elsewhere. */
  here: string | null
  /** Someone else made it: nothing of it runs before a person agrees. */
  isForeign: boolean
  /** Files that can run, or steer something, without being named by a command. */
  review: readonly ReviewItem[]
}

/** A session with all that was said in it, ready to be played. */
export interface Recording extends Omit<Known, 'turns'> {
  cli: Driver
  offline: Offline
  turns: readonly PlayableTurn[]
  /** How many turns came before these, and the last of them. */
  earlier: number
  prior: RecordingTurnView | null
  /** The replies of sub-agents, in all of these conversations. */
  helpers: readonly RecordedHelper[]
  /** The files before the first of these turns. */
  begin: RecordedTree
  shadow: Shadow
}

export const loadRecording = async (source: Source, { from, to }: TurnRange): Promise<Recording> => {
  const view = await source.client.recording({ target: source.target, cwd: source.cwd, until: to })
  const { root } = beginOf(view.turns.slice(positionOf(view.turns, from)))
  const at = relative(root, await realpath(view.cwd).catch(() => view.cwd))
  const known = { ...view, at, here: root, isForeign: false, review: [] }
  return recordingOf(known, from, async () => {
    if (!existsSync(root)) throw new ReinError('not_found', `${root} is gone, and its snapshots with it.`)
    return openShadow({ dir: join(source.state, 'snapshots'), tree: root, ports: { now: Date.now, env: process.env } })
  })
}

export const recordingOf = async (
  known: Known,
  from: string | undefined,
  openShadowOf: () => Promise<Shadow>,
): Promise<Recording> => {
  const cli = findDriver(known.driver)
  const earlier = positionOf(known.turns, from)
  const chosen = known.turns.slice(earlier)
  const { offline, title } = cli
  if (offline === null)
    throw new ReinError('refused', `${title} was never run offline by Rein, so its sessions cannot be replayed.`)
  const turns = await readTurns(cli, chosen)
  const files = [...new Set(chosen.map(transcriptOf))]
  const helpers = (await Promise.all(files.map((file) => readSubagents(cli, file)))).flat().map(helperOf)
  return {
    ...known,
    cli,
    offline,
    earlier,
    prior: known.turns[earlier - 1] ?? null,
    turns,
    helpers,
    begin: beginOf(chosen),
    shadow: await openShadowOf(),
  }
}

const positionOf = (turns: readonly RecordingTurnView[], from: string | undefined): number => {
  const at = from === undefined ? 0 : turns.findIndex(({ label }) => label === from)
  if (turns.length > 0 && at >= 0) return at
  const known = turns.map(({ label }) => label).join(', ')
  throw turns.length === 0
    ? new ReinError('not_found', 'No turn of this session has ended yet.', 'Try again when the agent is idle.')
    : new ReinError('not_found', `Turn ${from} is not on the way there.`, `On the way are: ${known}.`)
}

const beginOf = ([first]: readonly RecordingTurnView[]): RecordedTree => {
  if (first?.before) return first.before
  throw new ReinError(
    'not_found',
    `There is no snapshot of the files before turn ${first?.label}.`,
    'Begin with a turn that has one: --turns A..B',
  )
}

/** Turns of one conversation share one reading of it. */
export const readTurns = async (cli: Driver, views: readonly RecordingTurnView[]): Promise<PlayableTurn[]> => {
  const known = new Map<string, Conversation>()
  const turns: PlayableTurn[] = []
  for (const view of views) {
    const file = transcriptOf(view)
    const conversation = known.get(file) ?? (await readConversation(cli, file))
    known.set(file, conversation)
    const turn = turnBetween(conversation, view.first, view.last)
    if (turn === null) throw new ReinError('transcript_damaged', `Turn ${view.label} does not stand in ${file}.`)
    turns.push({ ...view, turn })
  }
  return turns
}

const transcriptOf = ({ transcript, label }: RecordingTurnView): string => {
  if (transcript !== null && existsSync(transcript)) return transcript
  const where = transcript === null ? 'It is not known where' : `${transcript} is gone, in which`
  throw new ReinError('not_found', `${where} the conversation of turn ${label} was kept.`)
}
