import type { Agent } from '../../contract/agent.ts'
import type { AgentDetail } from '../../contract/routes/agents.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { contextView } from '../context/context-view.ts'
import type { Base } from '../../base/base.ts'

/** How far back the newest of everything is looked for. */
const newestRecords = 40
const saidLimit = 4_000
const lineLimit = 200

/** What agents did last; read again only if they did something since. */
export const createDetails = ({ log, settings }: Pick<Base, 'log' | 'settings'>): ((agent: Agent) => AgentDetail) => {
  const known = new Map<string, { seq: number; detail: AgentDetail }>()
  return (agent) => {
    const seq = log.newestSeq('turns', agent.id)
    const before = known.get(agent.id)
    if (before?.seq === seq) return before.detail
    const records = log.readNewest('turns', agent.id, newestRecords)
    const detail = detailView(agent, records, settings['agents.context_window'])
    known.set(agent.id, { seq, detail })
    return detail
  }
}

export const detailView = (agent: Agent, records: readonly AnyRecord[], setWindow: number): AgentDetail => {
  const newestFirst = records.toReversed()
  const { window, percent } = contextView(agent, records, setWindow)
  return {
    last: firstOf(newestFirst, lastIn),
    said: firstOf(newestFirst, saidIn) ?? '',
    usage: firstOf(newestFirst, usageIn),
    window,
    percent,
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, lineLimit)

const firstOf = <T>(records: readonly AnyRecord[], read: (record: AnyRecord) => T | null): T | null => {
  for (const record of records) {
    const found = read(record)
    if (found !== null) return found
  }
  return null
}

const lastIn = (record: AnyRecord): AgentDetail['last'] => {
  if (record.type === 'turn.started') return { kind: 'prompt', text: oneLine(record.body.prompt) }
  if (record.type !== 'turn.entry' || record.body.role !== 'assistant') return null
  return firstBlock(record.body.blocks.toReversed())
}

const firstBlock = (blocks: readonly TurnBlock[]): AgentDetail['last'] => {
  for (const block of blocks) {
    if (block.type === 'tool_use') return { kind: 'tool', text: oneLine(`${block.name} ${inputSummary(block.input)}`) }
    if (block.type === 'text' && block.text.trim() !== '') return { kind: 'text', text: oneLine(block.text) }
  }
  return null
}

const saidIn = (record: AnyRecord): string | null => {
  if (record.type !== 'turn.entry' || record.body.role !== 'assistant') return null
  const said = record.body.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  return said.trim() === '' ? null : said.trim().slice(-saidLimit)
}

/** Some CLIs tell only at the end of a turn. */
const usageIn = (record: AnyRecord): AgentDetail['usage'] => {
  if (record.type === 'turn.ended') return record.body.usage
  return record.type === 'turn.entry' ? (record.body.usage ?? null) : null
}
