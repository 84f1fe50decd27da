import { z } from 'zod'

const agent = z.object({ agent: z.string(), handle: z.string() })
const directive = agent.extend({ directive: z.string() })
const evidence = z.object({ evidence: z.record(z.string(), z.unknown()) })

/** The entries of the daemon's log file by name, each with the fields it always has. */
export const logEntries = {
  register: agent.extend({ driver: z.string(), host: z.string(), pid: z.number() }),
  receive: directive.extend({ from: z.string(), priority: z.string(), length: z.number() }),
  offer: directive.extend({ attempt: z.number(), via: z.string() }),
  placed: directive.extend(evidence.shape),
  seen: directive.extend(evidence.shape),
  ack: directive.extend(evidence.shape),
  ready: agent.extend({ state: z.string() }).extend(evidence.shape),
  inject: agent.extend({ event: z.string(), characters: z.number() }),
  answer: agent.extend({ tool: z.string(), answer: z.string(), by: z.string(), why: z.string() }),
  wake: agent.extend({ by: z.string() }),
  broadcast: agent.extend({ topic: z.string(), records: z.number() }),
  crash: agent.extend(evidence.shape),
  restart: agent.extend({ how: z.string() }),
  leftovers: z.object({ agent: z.string(), count: z.number() }),
  tool_call: agent.extend({ tool: z.string(), event: z.string() }),
  foreign: agent.extend({ conversation: z.string() }),
  subagent: agent.extend({ subagent: z.string(), kind: z.string(), what: z.enum(['started', 'stopped']) }),
  fifo: z.object({ file: z.string(), what: z.enum(['registered', 'deregistered']) }),
  message: z.object({ message: z.string(), channel: z.string(), via: z.string(), length: z.number() }),
  held: z.object({ message: z.string(), channel: z.string(), reason: z.string() }),
  refused: z.object({ channel: z.string(), reason: z.string() }),
  send: z.object({ channel: z.string(), from: z.string(), how: z.string(), length: z.number() }),
  adapter: z.object({ name: z.string(), line: z.string() }),
  dead: z.object({ message: z.string(), channel: z.string(), reason: z.string() }),
  overdue: z.object({ event: z.string(), type: z.string(), priority: z.string(), handles: z.string() }),
  trouble: z.object({ where: z.string(), reason: z.string() }),
  /** Pairing was tried with wrong codes; at most one entry a minute. */
  codes: z.object({ refused: z.number() }),
  device: z.object({ device: z.string(), name: z.string(), what: z.enum(['paired', 'revoked', 'connected']) }),
  /** A device asks for something that changes more than what it is shown; `route` is one of the API. */
  act: z.object({ device: z.string(), name: z.string(), route: z.string() }),
  daemon: z.object({ what: z.string() }),
} as const

export type LogEntryName = keyof typeof logEntries
export type LogEntry<N extends LogEntryName> = z.infer<(typeof logEntries)[N]>

/** The daemon's log file, for the parts that write to it. */
export interface Journal {
  write<N extends LogEntryName>(name: N, fields: LogEntry<N>): void
}
