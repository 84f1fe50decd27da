import type { AnyRecord } from '../../../contract/record.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { RecordedAgent, RecordedAgents } from './agents.ts'

/** One thing of a recorded conversation that rules can look at, or that says what became of a call. */
export type RecordedStep = { at: number; agent: RecordedAgent; conversation: string } & (
  | { kind: 'prompt'; text: string }
  | { kind: 'call'; id: string; tool: string; input: Record<string, unknown> }
  | { kind: 'result'; result: Extract<TurnBlock, { type: 'tool_result' }> }
  | { kind: 'stop' }
)

/** A turn that ended with the process, or with another prompt, was not stopped by the agent. */
const notStopped = ['next_prompt', 'exit']

/** The steps in a record of the topic `turns`. */
export const stepsOf = (record: AnyRecord, agents: RecordedAgents): RecordedStep[] => {
  const agent = agents.get(record.agent)
  if (agent === undefined) return []
  const { at } = record
  if (record.type === 'turn.started') {
    const { conversation, prompt } = record.body
    return [{ kind: 'prompt', at, agent, conversation, text: prompt }]
  }
  if (record.type === 'turn.entry') {
    const { conversation, blocks } = record.body
    const where = { at, agent, conversation }
    return blocks.flatMap((block): RecordedStep[] => {
      if (block.type === 'tool_result') return [{ ...where, kind: 'result', result: block }]
      if (block.type !== 'tool_use') return []
      return [{ ...where, kind: 'call', id: block.id, tool: block.name, input: block.input }]
    })
  }
  if (record.type !== 'turn.ended' || notStopped.includes(record.body.reason)) return []
  return [{ kind: 'stop', at, agent, conversation: record.body.conversation }]
}
