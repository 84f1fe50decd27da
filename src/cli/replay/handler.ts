import { statSync } from 'node:fs'
import path from 'node:path'
import { parsePolicy } from '../../base/config/policy.ts'
import { ReinError } from '../../contract/errors.ts'
import { turnPattern } from '../../contract/handle.ts'
import type { ReplayedTurnView, ReplayPreviewView } from '../../contract/outputs/replay.ts'
import type { Progress } from '../../contract/routes/route.ts'
import type { Recording, TurnRange } from './recording.ts'
import { isConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { progressText } from '../sessions/move-text.ts'
import { outsideLines, previewText, replayedTurnText, replayEnd, workLines } from './text.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'

interface ReplayFlags {
  turns?: string
  policy?: string[]
  rules?: string
  bring?: string[]
  dryRun?: boolean
  yes?: boolean
  keep?: boolean
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const run = async (context: CliContext, flags: ReplayFlags & JsonFlag, target: string): Promise<void> => {
  const stopped = new AbortController()
  // The daemon would go on without us: it is ended first, and a second Ctrl-C does not wait for that.
  const stop = (): void => stopped.abort(new ReinError('failed', 'Stopped before the end.'))
  for (const signal of endings) process.once(signal, stop)
  try {
    await withRecording(context, target, rangeOf(flags.turns), (recording) =>
      show(context, recording, flags, stopped.signal),
    )
  } finally {
    context.out.status('')
    for (const signal of endings) process.off(signal, stop)
  }
}

const withRecording = async (
  { connect, out, cwd, env, paths }: CliContext,
  target: string,
  range: TurnRange,
  work: (recording: Recording) => Promise<void>,
): Promise<void> => {
  const file = path.resolve(cwd(), target)
  // `project/handle` is an agent, unless there is such a file.
  const isFile =
    target.endsWith('.rein') || (/[./]/.test(target) && statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  if (!isFile) {
    const { loadRecording } = await import('./recording.ts')
    return work(await loadRecording({ client: connect(), state: paths().state, target, cwd: cwd() }, range))
  }
  if (out.isAgent) throw new ReinError('forbidden', 'An agent may not replay a bundle.', 'Ask the person who runs it.')
  const { withBundle } = await import('./bundle.ts')
  const onProgress = (progress: Progress): void => out.status(progressText(progress))
  return withBundle({ file, cwd: cwd(), env, onProgress }, range, work)
}

const show = async (
  context: CliContext,
  recording: Recording,
  flags: ReplayFlags & JsonFlag,
  signal: AbortSignal,
): Promise<void> => {
  const { out } = context
  const { previewOf } = await import('./preview.ts')
  out.status('')
  const preview = previewOf(recording)
  if (flags.dryRun) return flags.json ? out.document(preview) : out.line(previewText(preview, out))
  if (!flags.yes) await agree(context, recording, preview, flags.json === true)
  const { replay } = await import('./replay.ts')
  const onTurn = (turn: ReplayedTurnView): void => {
    out.status('')
    if (!flags.json) out.line(replayedTurnText(turn, out))
  }
  const onBegin = (label: string, done: number): void =>
    out.status(`Playing turn ${label}: ${done + 1} of ${recording.turns.length}`)
  const replayed = await replay(recording, {
    policy: flags.policy === undefined ? null : parsePolicy(flags.policy),
    rules: flags.rules === undefined ? null : directory(path.resolve(context.cwd(), flags.rules)),
    bring: flags.bring ?? [],
    isKept: flags.keep === true,
    env: context.env,
    onBegin,
    onTurn,
    signal,
  })
  if (flags.json) out.document(replayed)
  else out.line(replayEnd(replayed, out.style))
  if (!replayed.isEqual) context.exitWith(1)
}

/** A foreign recording runs only after a person has seen its commands. */
const agree = async (
  context: CliContext,
  { isForeign }: Recording,
  preview: ReplayPreviewView,
  isJson: boolean,
): Promise<void> => {
  if (!isForeign) {
    if (preview.outside.length === 0) return
    throw new ReinError(
      'refused',
      `The recorded commands reach out of the tree, and would really be run:\n${outsideLines(preview.outside).join('\n')}`,
      'Look at all of them with --dry-run; run them all the same with --yes.',
    )
  }
  const { out, env } = context
  const lines = workLines(preview, out).join('\n')
  const what = 'This comes from somebody else, and would really be run:'
  const hint = 'If you trust whoever made it, run it with --yes.'
  if (isJson || !isInteractive(env)) throw new ReinError('refused', `${what}\n${lines}`, hint)
  out.line(`${what}\n${lines}`)
  if (!(await isConfirmed(context, 'Run it?'))) throw new ReinError('refused', 'Nothing was run.', hint)
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
