import { join } from 'node:path'
import type { Policy } from '../contract/policy.ts'
import type {
  Reach,
  RecordedTree,
  ReplayedTurnView,
  ReplayPreviewView,
  ReplayView,
} from '../contract/replay-api-types.ts'
import { changedFiles, inputSummary } from '../contract/tool-input.ts'
import { openShadow, type Shadow } from '../sessions/snapshots/shadow.ts'
import { playRecorded } from '../sim/recorded.ts'
import { startSim } from '../sim/server.ts'
import { compareFiles, compareTurns } from './compare.ts'
import { mapText, reversed } from './paths.ts'
import { type CallNote, handle, Player } from './player.ts'
import { reachOf } from './reach.ts'
import { type PlayableTurn, readTurns, type Recording } from './recording.ts'
import { callsIn, type RecordedTurn } from './recorded-turn.ts'
import { isRefused } from './refusal.ts'
import { setStage, type Stage } from './stage.ts'

export interface ReplayOptions {
  policy: Policy | null
  /** The scratch directory stays. */
  isKept: boolean
  env: Record<string, string | undefined>
  /** A turn begins, after so many. */
  onBegin(label: string, done: number): void
  onTurn(turn: ReplayedTurnView): void
  signal: AbortSignal
}

/** What is done in the turns of a recording, without doing it. */
export const previewOf = (recording: Recording): ReplayPreviewView => ({
  session: recording.session,
  driver: recording.driver,
  turns: recording.turns.map(({ label, turn }) => ({
    turn: label,
    prompt: turn.prompt,
    commands: callsIn(turn).flatMap(({ name, input }) => recording.cli.shell.call(name, input)?.command ?? []),
    files: [...new Set(callsIn(turn).flatMap(({ name, input }) => changedFiles(name, input)))],
  })),
  outside: outsideOf(recording),
})

export const outsideOf = ({ cli, turns, begin, cwd }: Recording): Reach[] =>
  turns.flatMap(({ label, turn }) =>
    callsIn(turn).flatMap((call) => {
      const reach = reachOf(cli, call, { root: begin.root, cwd })
      return reach === null ? [] : [{ turn: label, ...reach }]
    }),
  )

/** Plays a recording with the real CLI and the recorded model, and says turn by turn what went otherwise. */
export const replay = async (recording: Recording, options: ReplayOptions): Promise<ReplayView> => {
  const model = playRecorded()
  const sim = await startSim({ director: model.director })
  try {
    const stage = await setStage(recording, sim.url, options.env)
    try {
      const player = new Player({ recording, stage, model, policy: options.policy, signal: options.signal })
      const turns: ReplayedTurnView[] = []
      for (const [at, one] of recording.turns.entries()) {
        options.onBegin(one.label, at)
        const played = await playTurn(recording, stage, player, one, at)
        turns.push(played)
        options.onTurn(played)
      }
      return await viewOf(recording, stage, turns, options.isKept)
    } finally {
      await stage.clear(options.isKept)
    }
  } finally {
    await sim.close()
  }
}

const viewOf = async (
  recording: Recording,
  { client, root }: Stage,
  turns: ReplayedTurnView[],
  isKept: boolean,
): Promise<ReplayView> => {
  const { session, driver, version } = recording
  const [agent] = await client.ps({ all: true })
  const divergedAt = turns.find(({ isEqual }) => !isEqual)?.turn ?? null
  return {
    session,
    driver,
    version: { recorded: version, replayed: agent?.version ?? version },
    isEqual: divergedAt === null,
    divergedAt,
    turns,
    outside: outsideOf(recording),
    scratch: isKept ? root : null,
  }
}

const playTurn = async (
  recording: Recording,
  stage: Stage,
  player: Player,
  one: PlayableTurn,
  at: number,
): Promise<ReplayedTurnView> => {
  const { asked, left } = await player.play(one)
  const view = await stage.client.recording({ target: handle, cwd: stage.cwd })
  const [now] = await readTurns(recording.cli, view.turns.slice(at, at + 1))
  const replayed = now?.turn ?? { prompt: '', replies: [], heard: [] }
  const compared = compareTurns(one.turn, replayed, reversed(stage.paths))
  const calls = [...asked, ...decidedOtherwise(recording, stage, one.turn, replayed)]
  const tree = await compareTrees(recording.shadow, stage, one.after, now?.after ?? null)
  const requests = { recorded: one.turn.replies.length, replayed: replayed.replies.length }
  const isEqual =
    compared.differences.length + calls.length + tree.files.length + left === 0 &&
    requests.recorded === requests.replayed
  return { turn: one.label, prompt: one.turn.prompt, isEqual, requests, ...compared, calls, left, tree }
}

/** Calls that ran in one of them and were refused in the other. */
const decidedOtherwise = (
  { cli }: Recording,
  { paths }: Stage,
  recorded: RecordedTurn,
  replayed: RecordedTurn,
): CallNote[] => {
  const resultsOf = (turn: RecordedTurn) => turn.heard.flat().filter(({ kind }) => kind === 'result')
  const [before, now] = [resultsOf(recorded), resultsOf(replayed)]
  return callsIn(recorded).flatMap((call) => {
    const [was, is] = [before, now].map((all) => all.find((one) => one.call?.endsWith(call.id)))
    if (was === undefined || is === undefined || isRefused(cli, call, was) === isRefused(cli, call, is)) return []
    const what = isRefused(cli, call, is) ? ('denied' as const) : ('allowed' as const)
    const about = cli.shell.call(call.name, call.input)?.command ?? inputSummary(call.input)
    return [{ tool: call.name, call: about, what, why: firstLine(mapText(is.text, reversed(paths))) }]
  })
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

/** Two trees of one id hold the same; else file by file, as repositories within one come as plain files. */
const compareTrees = async (
  recorded: Shadow,
  stage: Stage,
  before: RecordedTree | null,
  now: RecordedTree | null,
): Promise<ReplayedTurnView['tree']> => {
  const ids = { recorded: before?.tree ?? null, replayed: now?.tree ?? null }
  if (before === null || now === null || before.tree === now.tree) return { ...ids, files: [] }
  const own = await openShadow({
    dir: join(stage.state, 'snapshots'),
    tree: now.root,
    ports: { now: Date.now, env: process.env },
  })
  return { ...ids, files: compareFiles(await recorded.list(before.snapshot), await own.list(now.snapshot)) }
}
