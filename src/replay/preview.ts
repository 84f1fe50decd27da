import type { Reach, ReplayPreviewView } from '../contract/replay-api-types.ts'
import { changedFiles } from '../contract/tool-input.ts'
import { reachOf } from './reach.ts'
import type { Recording } from './recording.ts'
import { callsIn } from './recorded-turn.ts'

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

/** What sub-agents did has no turn of its own: it is listed with the first. */
export const outsideOf = ({ cli, turns, helpers, begin, cwd }: Recording): Reach[] => {
  const place = { root: begin.root, cwd }
  const all = [
    ...turns.map(({ label, turn }) => ({ label, calls: callsIn(turn) })),
    ...helpers.map((helper) => ({ label: turns[0]?.label ?? '', calls: callsIn(helper) })),
  ]
  return all.flatMap(({ label, calls }) =>
    calls.flatMap((call) => {
      const reach = reachOf(cli, call, place)
      return reach === null ? [] : [{ turn: label, ...reach }]
    }),
  )
}
