import type { Caller } from '../../src/mcp/caller.ts'
import type { ToolCaller } from '../../src/mcp/tool.ts'

const unexpected = (): never => {
  throw new Error('Nobody should ask for this.')
}

/** Whoever calls tools, with what they may ask for; anything else is an error. */
export const caller = (given: Partial<Caller>): Caller => ({
  inbox: unexpected,
  read: unexpected,
  ack: unexpected,
  tell: unexpected,
  agents: unexpected,
  channels: unexpected,
  send: unexpected,
  rooms: unexpected,
  posts: unexpected,
  confirm: unexpected,
  post: unexpected,
  publish: unexpected,
  events: unexpected,
  ackEvents: unexpected,
  tellLead: unexpected,
  ...given,
})

/** An agent that calls tools. */
export const toolCaller: ToolCaller = {
  actor: { kind: 'agent', id: 'agt_1', handle: 'worker' },
  cwd: '/work',
  onAnswered: (run) => run(),
}
