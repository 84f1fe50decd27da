import { errorMessage } from '../../base/util/error-message.ts'
import {
  contextBudget,
  contextUsed,
  emptyReply,
  type HookCall,
  type HookReply,
  loseReply,
  mergeReply,
  type Responder,
  type ResponderReply,
} from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { byStrength, decided, opinionsIn, withInput } from './weigh-opinions.ts'

/** Called when a responder fails or is too slow; without a fallback of its own, the call goes on without it. */
type OnTrouble = (responder: string, reason: string) => void

/**
 * Runs a call through all responders to its event, in their order, each with the rest of the context budget.
 * Before a tool, rewriters come first, each with the result of the previous one; all others judge the last result.
 */
export const runPipeline = async (
  responders: readonly Responder[],
  given: HookCall,
  onTrouble: OnTrouble,
  budget = contextBudget,
): Promise<HookReply> => {
  let reply = emptyReply
  let call = given
  const heard: Heard[] = []
  for (const turn of takeTurns(responders, given)) {
    const added = await answer(turn.responder, call, budget - contextUsed(reply), onTrouble)
    const said = opinionsIn(turn.responder.name, added)
    heard.push({ rank: turn.rank, said })
    call = rewrittenBy(call, said)
    reply = mergeReply(reply, added, budget)
  }
  const opinions = rankOpinions(heard)
  return opinions.length === 0 ? reply : { ...reply, ...decided(given, opinions), opinions }
}

/** What all responders would say to a call, in the same stages and without any effect, and the rewritten call. */
export const explainCall = async (
  responders: readonly Responder[],
  given: HookCall,
): Promise<{ opinions: Opinion[]; call: HookCall }> => {
  let call = given
  const heard: Heard[] = []
  for (const { responder, rank } of takeTurns(responders, given)) {
    const said = (await responder.explain?.(call)) ?? []
    heard.push({ rank, said })
    call = rewrittenBy(call, said)
  }
  return { opinions: rankOpinions(heard), call }
}

/** `rank`: the place of the responder in the order of all. */
interface Turn {
  responder: Responder
  rank: number
}

interface Heard {
  rank: number
  said: readonly Opinion[]
}

/** Rewriters run first, but do not count more. */
const rankOpinions = (heard: Heard[]): Opinion[] =>
  byStrength(heard.toSorted((a, b) => a.rank - b.rank).flatMap(({ said }) => said))

const rewrittenBy = (call: HookCall, said: readonly Opinion[]): HookCall => {
  const input = said.findLast(({ kind }) => kind === 'rewrite')?.input
  return call.event !== 'before_tool' || input === undefined ? call : withInput(call, input)
}

const takeTurns = (responders: readonly Responder[], { event }: HookCall): Turn[] => {
  const all = responders.filter(({ events }) => events.includes(event)).map((responder, rank) => ({ responder, rank }))
  if (event !== 'before_tool') return all
  const isRewriter = ({ responder }: Turn): boolean => responder.isRewriter === true
  return [...all.filter(isRewriter), ...all.filter((turn) => !isRewriter(turn))]
}

const answer = async (
  responder: Responder,
  call: HookCall,
  room: number,
  onTrouble: OnTrouble,
): Promise<ResponderReply> => {
  let timer: NodeJS.Timeout | undefined
  let lastLook: NodeJS.Immediate | undefined
  const without = (why: string): ResponderReply => {
    onTrouble(responder.name, why)
    return responder.failing?.(call, why) ?? {}
  }
  let isLate = false
  const late = new Promise<ResponderReply>((resolve) => {
    const giveUp = (): void => {
      isLate = true
      resolve(without(`no answer in ${responder.deadlineMs} ms`))
    }
    // A busy process looks at its clock before its messages: an answer that is among them has come in time.
    timer = setTimeout(() => (lastLook = setImmediate(giveUp)), responder.deadlineMs)
  })
  try {
    const said = Promise.resolve(responder.respond(call, room))
    said.then(
      (reply) => isLate && loseReply(reply, (cause) => onTrouble(responder.name, errorMessage(cause))),
      () => undefined,
    )
    return await Promise.race([said, late])
  } catch (cause) {
    return without(errorMessage(cause))
  } finally {
    clearTimeout(timer)
    clearImmediate(lastLook)
  }
}
