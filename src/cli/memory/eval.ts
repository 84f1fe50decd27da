import { createWriteStream, openSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { ReinError } from '../../contract/errors.ts'
import type { EvalView } from '../../contract/outputs/memory.ts'
import { explainSystemError } from '../../contract/system-error.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { linesOf } from '../file-lines.ts'
import { evalText } from './eval-text.ts'
import { rememberedLines } from './remembered-lines.ts'

interface EvalFlags {
  shuffle?: boolean
  output?: string
  all?: boolean
  throughHooks?: string
  history?: string
}

type Write = (line: string) => void

export const run = async (context: CliContext, flags: EvalFlags & JsonFlag, file?: string): Promise<void> => {
  const { out } = context
  const { shuffle = false, all = false, json } = flags
  const at = (given: string | undefined): string | undefined => given && path.resolve(context.cwd(), given)
  const [history, throughHooks] = [at(file ?? flags.history), at(flags.throughHooks)]
  const given = [file, flags.history, throughHooks].filter((each) => each !== undefined)
  if (given.length + Number(all) > 1)
    throw new ReinError('usage', 'Give only one of a file, --all and --through-hooks FILE.')
  if (shuffle && throughHooks !== undefined) throw new ReinError('usage', '--shuffle does not go with --through-hooks.')
  const lines = history === undefined ? rememberedLines(context, all) : linesOf(history)
  const result = await writingTo(at(flags.output), (write) =>
    throughHooks === undefined ? predicted(context, lines, shuffle, write) : replayed(context, throughHooks, write),
  ).finally(() => out.status(''))
  if (result.commands === 0) throw new ReinError('not_found', 'There are no commands to predict.')
  if (json) out.document(result)
  else out.line(evalText(result, out))
}

const writingTo = async <T>(file: string | undefined, work: (write: Write) => Promise<T>): Promise<T> => {
  if (file === undefined) return work(() => undefined)
  const stream = createWriteStream(file, { fd: opened(file) })
  const written = finished(stream)
  // Said when the work is done; without a listener now, Node would end us.
  written.catch(() => undefined)
  const result = await work((line) => stream.write(`${line}\n`))
  stream.end()
  await written
  return result
}

/** A place that cannot be written to is told before the work, not after it. */
const opened = (file: string): number => {
  try {
    return openSync(file, 'w')
  } catch (cause) {
    const failure = explainSystemError(cause, { isWriting: true })
    throw failure === null ? cause : new ReinError('usage', failure.message, failure.hint)
  }
}

const predicted = async (
  { out }: CliContext,
  lines: AsyncIterable<string>,
  shuffle: boolean,
  write: Write,
): Promise<EvalView> => {
  const { evalHistory } = await import('../../features/memory/eval/history-file.ts')
  const onProgress = (done: number, total: number): void => out.status(`Predicting: ${done} of ${total}`)
  return evalHistory(lines, { shuffle, onProgress, out: write })
}

/** In the way in which agents and shells tell of commands, with a daemon that knows nothing yet. */
const replayed = async ({ out }: CliContext, file: string, write: Write): Promise<EvalView> => {
  const { throughHooks } = await import('./through-hooks.ts')
  const { readHistory } = await import('../../features/memory/eval/history-file.ts')
  const { inReplayOrder } = await import('../../features/memory/eval/replay.ts')
  const { Scoreboard } = await import('../../features/memory/eval/score.ts')
  const rows = inReplayOrder(await readHistory(linesOf(file)))
  const board = new Scoreboard()
  let done = 0
  for await (const line of throughHooks(rows)) {
    const row = rows[done]
    if (row !== undefined) board.add(row, line.suggestions)
    write(JSON.stringify(line))
    done += 1
    out.status(`Replaying: ${done} of ${rows.length}`)
  }
  const { groups } = board
  return { commands: done, groups, exact: board.level('exact'), template: board.level('template'), shuffled: null }
}
