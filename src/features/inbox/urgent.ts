import type { Decision, HookCall, Responder, ResponderReply } from '../../contract/hooks.ts'
import { lacksProof } from './choose-offers.ts'
import type { Inbox } from './inbox.ts'
import { isLeftUnread, type Item } from './receipt.ts'
import { replyLost } from './responder.ts'

/** Batches of tool calls that one directive may stop: an agent that does not take it in then is not kept from working for ever. */
const maxBatches = 3

/** How long a call may wait for what was said before it to be written down. */
const proofMs = 1000
/** A look takes no time where there is no conversation to read yet: nothing spins for that long. */
const mostLooks = 50

interface Denial {
  agent: string
  batches: number
  isOpen: boolean
}

/**
 * While an urgent directive is not in the conversation, no tool of the agent runs: the first call is answered with the text,
 * the others beside it with its id. A sub-agent is only sent back: the directive is for its caller.
 * `catchUp` reads what the conversation shows by now, within the time that a hook may wait.
 */
export const urgentResponder = (
  inbox: Inbox,
  catchUp: (agent: string) => Promise<void>,
  now = (): number => performance.now(),
): Responder => {
  const denials = new Map<string, Denial>()

  const isDue = (item: Item): boolean =>
    item.state === 'offered' && !lacksProof(item) && denials.get(item.directive.id)?.isOpen !== true

  /** What was said with a prompt stands in the conversation before the call does, but a busy machine writes it down later. */
  const awaitProof = async (agent: string): Promise<void> => {
    const until = now() + proofMs
    for (let looks = 0; looks < mostLooks && now() < until; looks += 1) {
      await catchUp(agent)
      if (!urgentItems(inbox, agent).some(isDue)) return
    }
  }

  const beforeTool = async (call: HookCall, agent: string): Promise<ResponderReply> => {
    if (isForRein(call)) return { decision: null }
    if (urgentItems(inbox, agent).some((item) => item.state === 'offered')) await awaitProof(agent)
    const item = urgentItems(inbox, agent)
      .filter((one) => inbox.mayShow(one, call.mode))
      .find(({ directive, state }) => stops(state, denials.get(directive.id)))
    if (item === undefined) return { decision: null }
    if (call.subagent !== null) return { decision: deny(returnToCaller) }
    const known = denials.get(item.directive.id) ?? { agent, batches: 0, isOpen: false }
    const opened = { ...known, isOpen: true }
    const { id } = item.directive
    const inOther = `Not run. An urgent message (${id}) stands in the result of another call: read it first.`
    if (known.isOpen) return { decision: deny(inOther) }
    denials.set(id, opened)
    const wasGiven = `Not run. An urgent message (${id}) was given to you just before: read it first, then decide whether the call is still right.`
    const given = inbox.takeUrgent(item)
    // A call whose denial is lost runs: the next one is stopped in its place.
    const onLost = (): void => {
      if (denials.get(id) === opened) denials.set(id, known)
      if (given !== null) inbox.takeBack([given], replyLost)
    }
    return { decision: deny(given?.text ?? wasGiven), onLost: [onLost] }
  }

  const afterBatch = (agent: string): void => {
    const open = [...denials].filter(([, denial]) => denial.isOpen && denial.agent === agent)
    for (const [id, { batches }] of open) denials.set(id, { agent, batches: batches + 1, isOpen: false })
  }

  return {
    name: 'urgent',
    events: ['before_tool', 'after_batch', 'after_tool', 'stop'],
    deadlineMs: proofMs + 500,
    respond: async (call) => {
      if (call.agent === null) return {}
      if (call.event === 'before_tool') return beforeTool(call, call.agent)
      if (call.subagent === null) afterBatch(call.agent)
      return {}
    },
  }
}

/** Reading and acknowledging a directive is what it asks for. */
const isForRein = ({ tools }: HookCall): boolean =>
  tools.every(({ name, input }) => {
    const command = input['command'] ?? input['cmd']
    return ownTool.test(name) || (typeof command === 'string' && ownCommand.test(command))
  })

/** Each CLI has its own way to name a tool of a server. */
const ownTool = /^(mcp_+)?rein[-_]+(read_inbox|ack_directive)$/
const ownCommand = /^rein (ack|inbox read) [\w -]+$/

const urgentItems = (inbox: Inbox, agent: string): Item[] =>
  inbox
    .openItems(agent)
    .filter((item) => item.directive.priority === 'urgent' && item.state !== 'seen' && !isLeftUnread(item))

/** Placed, it stops only what the model asked for before it could read it: the rest of the batch. */
const stops = (state: Item['state'], denial: Denial | undefined): boolean =>
  (denial?.batches ?? 0) < maxBatches && (state !== 'placed' || denial?.isOpen === true)

const deny = (reason: string): Decision => ({ kind: 'deny', reason })

const returnToCaller =
  'Not run. An urgent message waits for the agent that started you: stop here and return to your caller now.'
