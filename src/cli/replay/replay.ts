import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { Policy } from '../../contract/policy.ts'
import type { ReplayedTurnView, ReplayView } from '../../contract/outputs/replay.ts'
import type { RecordingTurnView } from '../../contract/routes/replay.ts'
import { playRecorded, type Recorded } from '../../sim/recorded.ts'
import { type Sim, startSim } from '../../sim/server.ts'
import { examine } from './examine.ts'
import { mapPaths } from './paths.ts'
import { handle, Player, type Run } from './player.ts'
import { outsideOf } from './preview.ts'
import { bringPrior } from './prior.ts'
import type { Recording } from './recording.ts'
import { setStage, type Stage } from './stage.ts'

interface ReplayOptions {
  policy: Policy | null
  /** The top of a tree whose rules for agents to use. */
  rules: string | null
  bring: readonly string[]
  /** The scratch directory stays. */
  isKept: boolean
  env: Record<string, string | undefined>
  /** A turn begins, after so many. */
  onBegin: (label: string, done: number) => void
  onTurn: (turn: ReplayedTurnView) => void
  signal: AbortSignal
}

/** Plays a recording with the real CLI and the recorded model, and reports the differences turn by turn. */
export const replay = async (recording: Recording, options: ReplayOptions): Promise<ReplayView> => {
  const model = playRecorded()
  const sim = await startSim({ director: model.director })
  try {
    const { env, rules, bring } = options
    const stage = await setStage(recording, { modelUrl: sim.url, env, rules, bring })
    try {
      const spans = recording.turns.map(({ turn }) => turn)
      model.knows(mapPaths(spans, stage.paths), mapPaths(recording.helpers, stage.paths))
      return await playAll(recording, stage, model, sim, options)
    } finally {
      if (options.isKept) {
        // All requests to the model, for a person to read.
        const lines = sim.requests.map(({ kind, path, headers, body }) => JSON.stringify({ kind, path, headers, body }))
        const text = lines.map((line) => `${line}\n`).join('')
        await writeFile(join(stage.root, 'requests.ndjson'), text, { mode: 0o600 })
      }
      await stage.clear(options.isKept)
    }
  } finally {
    await sim.close()
  }
}

const playAll = async (
  recording: Recording,
  stage: Stage,
  model: Recorded,
  sim: Sim,
  { policy, signal, isKept, onBegin, onTurn }: ReplayOptions,
): Promise<ReplayView> => {
  const prior = await bringPrior(recording, stage)
  const player = new Player({ recording, stage, model, sim, policy, signal, prior })
  const turns: ReplayedTurnView[] = []
  let known = recording.earlier
  // A turn starts a run, or follows by itself from the one before; without that one it is prompted, too.
  const runs = recording.turns.reduce<Run[]>((done, one) => {
    const run = done.at(-1)
    return run === undefined || one.turn.follows === null ? [...done, [one]] : [...done.slice(0, -1), [...run, one]]
  }, [])
  for (const run of runs) {
    onBegin(run[0].label, turns.length)
    const played = await player.play(run, known)
    const now = await listTurns(stage)
    for (const [at, one] of played.entries()) {
      const view = await examine(recording, stage, one, now[known + at] ?? null)
      turns.push(view)
      onTurn(view)
    }
    known = now.length
  }
  const { session, driver, version } = recording
  const [agent] = await stage.client.ps({ all: true })
  const divergedAt = turns.find(({ isEqual }) => !isEqual)?.turn ?? null
  return {
    session,
    driver,
    version: { recorded: version, replayed: agent?.version ?? version },
    isEqual: divergedAt === null,
    divergedAt,
    turns,
    outside: outsideOf(recording),
    scratch: isKept ? stage.root : null,
  }
}

/** The turns of the replay so far; none if a hook kept the first prompt from the model. */
const listTurns = async ({ client, cwd }: Stage): Promise<RecordingTurnView[]> => {
  try {
    return (await client.recording({ target: handle, cwd })).turns
  } catch (cause) {
    if (cause instanceof ReinError && cause.code === 'not_found') return []
    throw cause
  }
}
