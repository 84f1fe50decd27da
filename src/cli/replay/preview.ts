import type { Reach, ReplayPreviewView } from '../../contract/outputs/replay.ts'
import { changedFiles } from '../../contract/tool-input.ts'
import { reachOf } from './reach.ts'
import type { Recording } from './recording.ts'
import { callsIn, type RecordedCall } from './recorded-turn.ts'

/** The commands and files of the turns of a recording, without playing it. */
export const previewOf = (recording: Recording): ReplayPreviewView => {
  const { session, driver, begin, turns, review, cli } = recording
  const calls = allCalls(recording)
  return {
    session,
    driver,
    root: begin.root,
    turns: turns.map(({ label, turn }) => {
      const own = calls.filter((one) => one.label === label).flatMap((one) => one.calls)
      return {
        turn: label,
        prompt: turn.prompt,
        commands: own.flatMap(({ name, input }) => cli.shell.call(name, input)?.command ?? []),
        files: [...new Set(own.flatMap(({ name, input }) => changedFiles(name, input)))],
      }
    }),
    review: [...review],
    outside: outsideOf(recording),
  }
}

/** The calls of sub-agents have no turn of their own: they are listed with the first. */
const allCalls = ({ turns, helpers }: Recording): { label: string; calls: RecordedCall[] }[] => [
  ...turns.map(({ label, turn }) => ({ label, calls: callsIn(turn) })),
  ...helpers.map((helper) => ({ label: turns[0]?.label ?? '', calls: callsIn(helper) })),
]

export const outsideOf = (recording: Recording): Reach[] => {
  const { cli, begin, cwd } = recording
  const place = { root: begin.root, cwd }
  return allCalls(recording).flatMap(({ label, calls }) =>
    calls.flatMap((call) => {
      const reach = reachOf(cli, call, place)
      return reach === null ? [] : [{ turn: label, ...reach }]
    }),
  )
}
