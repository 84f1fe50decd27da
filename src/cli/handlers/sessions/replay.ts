import { statSync } from 'node:fs'
import path from 'node:path'
import { parsePolicy } from '../../../config/policy.ts'
import { ReinError } from '../../../contract/errors.ts'
import { turnPattern } from '../../../contract/handle.ts'
import type { Reach, ReplayedTurnView, ReplayView } from '../../../contract/replay-api-types.ts'
import type { Recording, TurnRange } from '../../../replay/recording.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { outsideLines, previewText, replayedTurnText, replayEnd } from '../../replay-text.ts'

export interface ReplayFlags {
  turns?: string
  policy?: string[]
  rules?: string
  bring?: string[]
  preview?: boolean
  yes?: boolean
  keep?: boolean
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const run = async (context: CliContext, flags: ReplayFlags & JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd, paths, exitWith } = context
  const { loadRecording } = await import('../../../replay/recording.ts')
  const { outsideOf, previewOf } = await import('../../../replay/preview.ts')
  const source = { client: connect(), state: paths().state, target, cwd: cwd() }
  const recording = await loadRecording(source, rangeOf(flags.turns))
  if (flags.preview) {
    const preview = previewOf(recording)
    return flags.json ? out.document(preview) : out.line(previewText(preview, out))
  }
  if (!flags.yes) refuseReaching(outsideOf(recording))
  const replayed = await play(context, recording, flags)
  if (flags.json) out.document(replayed)
  else out.line(replayEnd(replayed, out.style))
  if (!replayed.isEqual) exitWith(1)
}

const play = async (
  { out, env, cwd }: CliContext,
  recording: Recording,
  flags: ReplayFlags & JsonFlag,
): Promise<ReplayView> => {
  const { replay } = await import('../../../replay/replay.ts')
  const stopped = new AbortController()
  // The daemon would go on without us: it is ended first, and a second Ctrl-C does not wait for that.
  const stop = (): void => stopped.abort(new ReinError('failed', 'Stopped before the end.'))
  for (const signal of endings) process.once(signal, stop)
  const onTurn = (turn: ReplayedTurnView): void => {
    out.status('')
    if (!flags.json) out.line(replayedTurnText(turn, out))
  }
  const onBegin = (label: string, done: number): void =>
    out.status(`Playing turn ${label}: ${done + 1} of ${recording.turns.length}`)
  const policy = flags.policy === undefined ? null : parsePolicy(flags.policy)
  try {
    return await replay(recording, {
      policy,
      rules: flags.rules === undefined ? null : directory(path.resolve(cwd(), flags.rules)),
      bring: flags.bring ?? [],
      isKept: flags.keep === true,
      env,
      onBegin,
      onTurn,
      signal: stopped.signal,
    })
  } finally {
    out.status('')
    for (const signal of endings) process.off(signal, stop)
  }
}

const directory = (dir: string): string => {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return dir
  throw new ReinError('not_found', `There is no directory ${dir}.`)
}

/** `2..4`, `2..`, `..4`, or one turn alone. */
const rangeOf = (text: string | undefined): TurnRange => {
  if (text === undefined) return { from: undefined, to: undefined }
  const [first = '', last = first] = text.split('..')
  const isFine = [first, last].every((label) => label === '' || (turnPattern.test(label) && label !== '0'))
  if (!isFine || first + last === '')
    throw new ReinError('usage', `"${text}" are no turns.`, 'Like: --turns 2..4, --turns 2.. or --turns 3')
  return { from: first || undefined, to: last || undefined }
}

const refuseReaching = (outside: readonly Reach[]): void => {
  if (outside.length === 0) return
  throw new ReinError(
    'refused',
    `The recorded commands reach out of the tree, and would really be run:\n${outsideLines(outside).join('\n')}`,
    'Look at all of them with --preview; run them all the same with --yes.',
  )
}
