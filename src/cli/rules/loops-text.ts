import { seenText } from '../../contract/loop-text.ts'
import type { LoopView } from '../../contract/routes/loops.ts'
import type { LogRecord } from '../../contract/record.ts'
import { formatTable, formatTime } from '../format.ts'
import { oneLine } from '../safe-text.ts'

type LoopRecord = LogRecord<'loop.noted'> | LogRecord<'loop.asked'> | LogRecord<'loop.stopped'>

const seenLimit = 400
const nameLimit = 60

const done: Record<LoopView['action'], string> = {
  noted: 'was told',
  asked: 'a person was asked',
  denied: 'was not run',
  stopped: 'was stopped',
}

export const loopText = (record: LoopRecord): string => {
  const { loop } = record.body
  const action = record.type === 'loop.asked' && record.body.isDenied ? 'denied' : actions[record.type]
  return `${done[action]}: ${oneLine(seenText(loop), seenLimit)}`
}

const actions = { 'loop.noted': 'noted', 'loop.asked': 'asked', 'loop.stopped': 'stopped' } as const

/** Newest first. */
export const loopTable = (found: LoopView[], now: number, limit: number, columns?: number): string => {
  if (found.length === 0) return 'No loops were detected.'
  const rows = found.map((one) => [
    formatTime(one.at, now),
    one.subagent === null ? one.agent : `${one.agent} (${oneLine(one.subagent, nameLimit)})`,
    done[one.action],
    oneLine(one.seen, seenLimit),
  ])
  const more = found.length < limit ? [] : [`(The newest ${limit}; --limit N shows more.)`]
  return [formatTable(['WHEN', 'AGENT', 'DONE', 'SEEN'], rows, { columns }), ...more].join('\n')
}

/** A turn that went in circles, after what was done in it. */
export const loopLines = (found: readonly LoopView[], now: number): string[] =>
  found.map((one) => `${formatTime(one.at, now)} ↻ ${done[one.action]}: ${oneLine(one.seen, seenLimit)}`)
