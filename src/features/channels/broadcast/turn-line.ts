import type { AnyRecord, LogRecord } from '../../../contract/record.ts'
import type { TurnBlock, TurnGap, TurnLine } from '../../../contract/turn.ts'

export type Item = TurnLine | TurnGap

type Last = LogRecord<'turn.ended'> | LogRecord<'turn.entry'>
type Head = Pick<TurnLine, 'seq' | 'ts' | 'session' | 'agent' | 'project'>

const headOf = ({ seq, at, body, project }: Last, agent: string): Head => ({
  seq,
  ts: at,
  session: body.conversation,
  agent,
  project: project ?? '',
})

/** A turn from its end and what is on the log before that. */
export const turnLine = (ended: LogRecord<'turn.ended'>, records: readonly AnyRecord[], agent: string): TurnLine => {
  const started = records.find((record) => record.type === 'turn.started')
  const turn = records.flatMap((record) => (record.type === 'turn.entry' ? blocksOf(record) : []))
  const { reason, usage } = ended.body
  return { ...headOf(ended, agent), prompt: started?.body.prompt ?? null, turn, reason, usage }
}

/** Text of the CLI itself, such as a reminder to the model, is context: only the agent's own text is text. */
const blocksOf = ({ body: { role, blocks } }: LogRecord<'turn.entry'>): TurnBlock[] =>
  role === 'system'
    ? blocks.map((block) => (block.type === 'text' ? { type: 'context', source: 'cli', text: block.text } : block))
    : blocks

/** An entry that was written after the end of its turn. */
export const lateLine = (entry: LogRecord<'turn.entry'>, agent: string): TurnLine => {
  const { blocks, usage = null } = entry.body
  return { ...headOf(entry, agent), prompt: null, turn: blocks, reason: 'late', usage }
}

export const gap = (after: number, until: number): TurnGap => ({ gap: { after, until } })

/** Where a reader goes on after it. */
export const positionOf = (item: Item): number => ('gap' in item ? item.gap.until : item.seq)
