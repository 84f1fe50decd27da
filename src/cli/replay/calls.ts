import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import type { Driver } from '../../drivers/contract.ts'
import { callsIn, type Heard, type RecordedCall, type RecordedTurn } from './recorded-turn.ts'

export type CallNote = ReplayedTurnView['calls'][number]

/** How the CLIs, and Rein's policy, say that a call was not carried out. */
const refusals =
  /^(?:The user doesn't want to |The user's policy for this agent denies |Permission (?:to use |for this )|Claude requested permissions |Command blocked by PreToolUse hook|(?:\w+:)?[\w ]*hook (?:error|denied|blocked))/

/** A person, a rule or a hook kept it from being run. */
const isRefused = ({ shell }: Driver, call: RecordedCall, { text, isError, raw }: Heard): boolean => {
  if (!isError) return false
  if (refusals.test(text)) return true
  const isShell = shell.call(call.name, call.input) !== null
  return isShell && shell.end({ type: 'tool_result', id: call.id, text, isError }, raw) === null
}

/** The subject of a call: the command of a shell, else a summary of its input. */
export const subjectOf = ({ shell }: Driver, { name, input }: RecordedCall): string =>
  shell.call(name, input)?.command ?? inputSummary(input)

export const refusedIn = (cli: Driver, turn: RecordedTurn): RecordedCall[] =>
  callsIn(turn).filter((call) => {
    const result = resultOf(turn, call)
    return result !== undefined && isRefused(cli, call, result)
  })

/** Calls that ran in one of them and were refused in the other. */
export const decidedOtherwise = (cli: Driver, recorded: RecordedTurn, replayed: RecordedTurn): CallNote[] =>
  callsIn(recorded).flatMap((call) => {
    const [was, is] = [resultOf(recorded, call), resultOf(replayed, call)]
    if (was === undefined || is === undefined || isRefused(cli, call, was) === isRefused(cli, call, is)) return []
    const what = isRefused(cli, call, is) ? ('denied' as const) : ('allowed' as const)
    return [{ tool: call.name, call: subjectOf(cli, call), what, why: is.text.split('\n')[0] ?? '' }]
  })

const resultOf = ({ heard }: RecordedTurn, { id }: RecordedCall): Heard | undefined =>
  heard.flat().find(({ kind, call }) => kind === 'result' && isSameCall(id, call))

/** An id of another service is kept within one of this API's own. */
export const isSameCall = (recorded: string | null, replayed: string | null): boolean =>
  recorded === replayed || (recorded !== null && replayed?.endsWith(recorded) === true)
