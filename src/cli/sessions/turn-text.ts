import type { AnyRecord } from '../../contract/record.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import type { TurnBlock, TurnUsage } from '../../contract/turn.ts'
import { loopText } from '../rules/loops-text.ts'
import { formatTime, indented, printable, shorten } from '../format.ts'
import type { Output } from '../output.ts'
import { plainWords } from '../plain-words.ts'

type Reader = Pick<Output, 'style' | 'isAgent'>

const summaryLimit = 120

/** Lines for a record of an agent's work; none for records without news. */
export const turnLines = (record: AnyRecord, now: number, reader: Reader): string[] => {
  const { style } = reader
  switch (record.type) {
    case 'turn.started':
      return [style.bold(`${formatTime(record.at, now)} › ${indented(plainWords(record.body.prompt, reader))}`)]
    case 'turn.entry':
      return record.body.blocks.flatMap((block) => blockLines(block, reader))
    case 'turn.ended':
      return [
        style.dim(
          `${formatTime(record.at, now)} ■ ${[record.body.reason, usage(record.body.usage)].filter(Boolean).join(', ')}`,
        ),
      ]
    case 'turn.subagent_started':
      return [style.cyan(`  ↳ ${printable(record.body.kind)}: ${shorten(record.body.description, summaryLimit)}`)]
    case 'turn.subagent_stopped':
      return [style.dim(`  ↲ ${shorten(record.body.result, summaryLimit)}`)]
    case 'loop.noted':
    case 'loop.asked':
    case 'loop.stopped':
      return [style.yellow(`${formatTime(record.at, now)} ↻ ${loopText(record)}`)]
    case 'rule.decided':
      return [
        style.yellow(
          `${formatTime(record.at, now)} § ${record.body.opinions.map(({ by, kind }) => `${printable(by)}: ${kind}`).join(', ')} | ${shorten(record.body.call, summaryLimit)}`,
        ),
      ]
    default:
      return []
  }
}

export const blockLines = (block: TurnBlock, reader: Reader): string[] => {
  const { style } = reader
  switch (block.type) {
    case 'text':
      return [printable(block.text)]
    case 'thinking':
      return [style.dim(`  … ${shorten(block.thinking, summaryLimit)}`)]
    case 'tool_use':
      return [style.cyan(`  → ${printable(block.name)} ${shorten(inputSummary(block.input), summaryLimit)}`.trimEnd())]
    case 'tool_result':
      return [
        (block.isError ? style.red : style.dim)(
          `  ← ${shorten(plainWords(block.text, reader), summaryLimit)}`.trimEnd(),
        ),
      ]
    case 'context': {
      // What Rein handed over is news; what other hooks add is in the background.
      const plain = plainWords(block.text, reader)
      return plain === block.text.trim()
        ? [style.dim(`  + ${printable(block.source)}: ${shorten(block.text, summaryLimit)}`)]
        : plain.split('\n').map((line) => `  ✉ ${shorten(line, summaryLimit)}`)
    }
    default:
      return []
  }
}

const usage = (value: TurnUsage | null): string =>
  value === null
    ? ''
    : `${value.inputTokens} tokens in, ${value.outputTokens} out${value.model === null ? '' : ` (${value.model})`}`
