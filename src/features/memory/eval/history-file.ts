import { z } from 'zod'
import { ReinError } from '../../../contract/errors.ts'
import type { EvalView } from '../../../contract/outputs/memory.ts'
import { evaluate } from './evaluate.ts'
import type { HistoryRow } from './replay.ts'

const text = z.string().nullish()
const words = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? [])
const Row = z.object({
  project: z.string().optional(),
  user: z.string().optional(),
  session: z.string(),
  seq: z.number(),
  cmd: z.string(),
  cwd: text,
  exit: z.number().nullish(),
  agent: text,
  ts: text,
  err: text,
  since: words,
  edited: words,
})

/** Reads a history: one command per line, as JSON. */
export async function readHistory(lines: AsyncIterable<string>): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = []
  for await (const line of lines) if (line.trim() !== '') rows.push(parsed(line, rows.length + 1))
  return rows
}

const needed = 'Each line is a JSON object with session, seq, cmd, and project or user.'

function parsed(line: string, number: number): HistoryRow {
  try {
    return Row.parse(JSON.parse(line))
  } catch {
    throw new ReinError('usage', `Line ${number} is no command of a history: ${line.slice(0, 80)}`, needed)
  }
}

/** Evaluates the history in `lines`; `out` gets what was predicted, one line for each command. */
export async function evalHistory(
  lines: AsyncIterable<string>,
  options: {
    readonly shuffle: boolean
    readonly out?: (line: string) => void
    readonly onProgress?: (done: number, total: number) => void
  },
): Promise<EvalView> {
  return evaluate(await readHistory(lines), {
    ...options,
    onPrediction: ({ session, seq }, suggestions) => options.out?.(JSON.stringify({ session, seq, suggestions })),
  })
}
