import {
  contextBudget,
  contextUsed,
  emptyReply,
  type HookCall,
  type HookReply,
  mergeReply,
  type Responder,
  type ResponderReply,
} from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { byStrength, decided, opinionsIn, withInput } from './weigh-opinions.ts'

/** Called when a responder fails or is too slow; without a fallback of its own, the call goes on without it. */
export type OnTrouble = (responder: string, reason: string) => void

/**
 * Runs a call through all responders to its event, in order, each with the rest of the context budget.
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
  for (const responder of inOrder(responders, given)) {
    const added = await answer(responder, call, budget - contextUsed(reply), onTrouble)
    const said = opinionsIn(responder.name, added)
    heard.push({ order: responder.order, said })
    call = rewrittenBy(call, said)
    reply = mergeReply(reply, added, budget)
  }
  const opinions = ranked(heard)
  return opinions.length === 0 ? reply : { ...reply, ...decided(given, opinions), opinions }
}

/** What all responders would say to a call, in the same stages and without any effect, and the rewritten call. */
export const explainCall = async (
  responders: readonly Responder[],
  given: HookCall,
): Promise<{ opinions: Opinion[]; call: HookCall }> => {
  let call = given
  const heard: Heard[] = []
  for (const responder of inOrder(responders, given)) {
    const said = (await responder.explain?.(call)) ?? []
    heard.push({ order: responder.order, said })
    call = rewrittenBy(call, said)
  }
  return { opinions: ranked(heard), call }
}

interface Heard {
  order: number
  said: readonly Opinion[]
}

/** Rewriters run first, but do not count more. */
const ranked = (heard: Heard[]): Opinion[] =>
  byStrength(heard.toSorted((a, b) => a.order - b.order).flatMap(({ said }) => said))

const rewrittenBy = (call: HookCall, said: readonly Opinion[]): HookCall => {
  const input = said.findLast(({ kind }) => kind === 'rewrite')?.input
  return call.event !== 'before_tool' || input === undefined ? call : withInput(call, input)
}

const inOrder = (responders: readonly Responder[], { event }: HookCall): Responder[] => {
  const all = responders.filter(({ events }) => events.includes(event)).toSorted((a, b) => a.order - b.order)
  if (event !== 'before_tool') return all
  return [...all.filter(({ isRewriter }) => isRewriter), ...all.filter(({ isRewriter }) => !isRewriter)]
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
  const late = new Promise<ResponderReply>((resolve) => {
    const giveUp = (): void => resolve(without(`no answer in ${responder.deadlineMs} ms`))
    // A busy process looks at its clock before its messages: an answer that is among them has come in time.
    timer = setTimeout(() => (lastLook = setImmediate(giveUp)), responder.deadlineMs)
  })
  try {
    return await Promise.race([responder.respond(call, room), late])
  } catch (cause) {
    return without(cause instanceof Error ? cause.message : String(cause))
  } finally {
    clearTimeout(timer)
    clearImmediate(lastLook)
  }
}
