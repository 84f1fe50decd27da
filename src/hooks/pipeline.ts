import {
  contextBudget,
  contextUsed,
  emptyReply,
  type HookCall,
  type HookReply,
  mergeReply,
  type Responder,
  type ResponderReply,
} from '../contract/hooks.ts'

/** Told when a responder fails or is too slow; the call goes on without it. */
export type OnTrouble = (responder: string, reason: string) => void

/** One call through all who answer to its event, in order, each with what is left of the context budget. */
export const runPipeline = async (
  responders: readonly Responder[],
  call: HookCall,
  onTrouble: OnTrouble,
  budget = contextBudget,
): Promise<HookReply> => {
  let reply = emptyReply
  for (const responder of inOrder(responders, call)) {
    const added = await answer(responder, call, budget - contextUsed(reply), onTrouble)
    reply = mergeReply(reply, added, budget)
  }
  return reply
}

const inOrder = (responders: readonly Responder[], call: HookCall): Responder[] =>
  responders.filter((one) => one.events.includes(call.event)).toSorted((a, b) => a.order - b.order)

const answer = async (
  responder: Responder,
  call: HookCall,
  room: number,
  onTrouble: OnTrouble,
): Promise<ResponderReply> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ResponderReply>((resolve) => {
    timer = setTimeout(() => {
      onTrouble(responder.name, `no answer in ${responder.deadlineMs} ms`)
      resolve({})
    }, responder.deadlineMs)
  })
  try {
    return await Promise.race([responder.respond(call, room), late])
  } catch (cause) {
    onTrouble(responder.name, cause instanceof Error ? cause.message : String(cause))
    return {}
  } finally {
    clearTimeout(timer)
  }
}
