import type { Client } from '../../client/client.ts'
import { outcomeOf } from '../../contract/outcome.ts'
import { saysEphemeral } from '../../contract/ephemeral.ts'
import { asReinError } from '../../contract/errors.ts'
import type { Ingested } from '../../contract/routes/memory.ts'
import { toldSession } from '../../features/memory/told.ts'
import { ensurePrivateDir } from '../../base/util/private-dir.ts'
import { briefly } from '../brief.ts'
import type { CliContext } from '../context.ts'
import { counted } from '../format.ts'
import type { ToldCommand } from './told.ts'

const batchSize = 500

/** Tells the daemon of commands; what it does not take at once is kept for it in a file. */
export const handOver = async (context: CliContext, commands: ToldCommand[]): Promise<Ingested> => {
  const sum: Ingested = { taken: 0, known: 0, refused: 0, secrets: 0, kept: 0 }
  if (saysEphemeral(context.env)) return { ...sum, refused: commands.length }
  const client = context.connect(briefly)
  for (let start = 0; start < commands.length; start += batchSize) {
    const answer = await ingest(client, context.cwd(), commands.slice(start, start + batchSize))
    if (answer === null) return { ...sum, kept: await keep(context, commands.slice(start)) }
    addCounts(sum, answer)
  }
  return sum
}

type Counts = Omit<Ingested, 'kept'>

export const addCounts = (sum: Counts, answer: Counts): void => {
  for (const key of ['taken', 'known', 'refused', 'secrets'] as const) sum[key] += answer[key]
}

/** Null if no daemon took them in time. */
const ingest = async (client: Client, cwd: string, commands: ToldCommand[]): Promise<Ingested | null> => {
  try {
    return await client.ingest({ cwd, commands })
  } catch (cause) {
    const isAway = ['unavailable', 'not_in_time', 'storage_full', 'storage_readonly'].includes(asReinError(cause).code)
    if (isAway) return null
    throw cause
  }
}

/** Their ids stay the same, so that what was taken after all does not count twice. */
const keep = async ({ paths, now, out }: CliContext, commands: ToldCommand[]): Promise<number> => {
  const { keepForLater } = await import('../../features/memory/spool/keep.ts')
  const { state, shells } = paths()
  for (const dir of [state, shells]) ensurePrivateDir(dir)
  if (
    keepForLater(
      shells,
      commands.map(({ session, outcome, output, branch, ...told }) => {
        const { id, command, at, cwd, author, exit = null, durationMs = null } = told
        return {
          id,
          command,
          at,
          cwd,
          author,
          exit,
          durationMs,
          outcome: outcome ?? outcomeOf(exit),
          session: session ?? toldSession(author, cwd),
          output: output ?? null,
          branch: branch ?? null,
          source: 'ingest' as const,
        }
      }),
      now(),
    )
  )
    return commands.length
  out.note(
    `rein: ${counted(commands.length, 'command')} lost: no daemon runs, and ${shells} is full. Start one: rein daemon start`,
  )
  return 0
}
