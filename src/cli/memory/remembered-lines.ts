import type { HistoryView } from '../../contract/routes/memory.ts'
import type { CliContext } from '../context.ts'

const pageSize = 10_000

/** Remembered commands as lines of a history file; the daemon returns pages, newest first. */
export async function* rememberedLines(
  { connect, cwd }: Pick<CliContext, 'connect' | 'cwd'>,
  all: boolean,
): AsyncGenerator<string> {
  const seen = new Map<string, HistoryView>()
  for (let until: number | undefined, isMore = true; isMore; ) {
    const page = await connect().history({ cwd: cwd(), all, limit: pageSize, until })
    const before = seen.size
    for (const item of page) seen.set(item.id, item)
    isMore = page.length === pageSize
    // That moment again, as there may be more of it; a page without anything new is one moment, and ends it.
    until = timeOf(page.at(-1)) - Number(seen.size === before)
  }
  for (const [seq, item] of [...seen.values()].toReversed().entries())
    yield JSON.stringify({
      project: item.project,
      session: item.session,
      seq,
      cmd: item.command,
      cwd: item.cwd,
      exit: item.exit,
      agent: item.author === 'person' ? null : item.author,
      ts: new Date(timeOf(item)).toISOString(),
      err: item.output,
      since: item.tools,
      edited: item.edited,
    })
}

const timeOf = (item: HistoryView | undefined): number => item?.at ?? item?.heardAt ?? 0
