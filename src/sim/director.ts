/** Decides which steps answer a request, and tracks the progress of each script per conversation. */
import type { Block } from './blocks.ts'
import { newestPrompt } from './prompt.ts'
import { selectNewMessages, findPurpose, type Received, joinTexts } from './received.ts'
import { findReactions, type Scenario } from './scenario.ts'
import { formatScript, isFailure, isReply, parseScript, ScriptError, type Step } from './script.ts'
import { answerSideQuery, compactionSummary } from './side.ts'

export type Kind = 'scripted' | 'recorded' | 'reflex' | 'default' | 'compaction' | 'side'

export interface Answer {
  kind: Kind
  steps: Step[]
  /** A whole reply as it was recorded, instead of steps. */
  blocks?: readonly Block[]
  /** The answer waits for this. */
  after?: Promise<void> | undefined
}

interface Conversation {
  scripts: Map<string, Step[]>
  reflexes: Step[]
  reactedTo: Set<string>
  fallback: Step[]
  /** The last reply succeeded, so the client's next request contains it. */
  answered: boolean
}

export type Director = (received: Received) => Answer

export const createDirector = (scenario: Scenario): Director => {
  const conversations = new Map<string, Conversation>()
  return (received) => {
    // A client that does not name its conversation is recognised by its first message.
    const id = received.conversation ?? joinTexts(received.messages.slice(0, 1))
    const purpose = findPurpose(received)
    if (purpose === 'side') return { kind: purpose, steps: [{ do: 'SAY', text: answerSideQuery(received.schema) }] }
    const known = conversations.get(id)
    if (purpose === 'compaction') {
      // A compaction removes the prompts, so a finished script that is prompted again starts again.
      for (const [key, left] of known?.scripts ?? []) if (left.length === 0) known?.scripts.delete(key)
      return { kind: purpose, steps: [{ do: 'SAY', text: compactionSummary }] }
    }
    // The same opening messages without the reply they already got start another conversation.
    const beginsAnew =
      received.conversation === undefined &&
      known?.answered === true &&
      received.messages.every(({ role }) => role !== 'assistant')
    const conversation: Conversation =
      known === undefined || beginsAnew
        ? { scripts: new Map(), reflexes: [], reactedTo: new Set(), fallback: [], answered: false }
        : known
    conversations.set(id, conversation)
    const answer = mainAnswer(scenario, conversation, received)
    conversation.answered = !isFailure(answer.steps.at(-1))
    return answer
  }
}

const mainAnswer = (scenario: Scenario, conversation: Conversation, received: Received): Answer => {
  // Each reaction is played once per conversation, however often its text comes again.
  for (const reaction of findReactions(scenario, joinTexts(selectNewMessages(received)))) {
    const key = formatScript(reaction)
    if (!conversation.reactedTo.has(key)) conversation.reflexes.push(...reaction)
    conversation.reactedTo.add(key)
  }
  const sources: { kind: Kind; steps: Step[] }[] = [
    { kind: 'reflex', steps: conversation.reflexes },
    { kind: 'scripted', steps: currentScript(conversation, received) },
    { kind: 'default', steps: conversation.fallback },
  ]
  const kind = sources.find(({ steps }) => steps.length > 0)?.kind ?? 'default'
  const steps: Step[] = []
  for (;;) {
    if (sources.every((source) => source.steps.length === 0)) conversation.fallback.push(...scenario.fallback)
    const step = sources.find((source) => source.steps.length > 0)?.steps.shift()
    if (step !== undefined) steps.push(step)
    if (isReply(step)) return { kind, steps }
  }
}

/** The rest of the newest script. A script that began before a fork or a restart does not begin again. */
const currentScript = (conversation: Conversation, received: Received): Step[] => {
  const prompt = newestPrompt(received)
  if (prompt === undefined) return []
  const key = `${prompt.occurrence} ${prompt.script}`
  const left = conversation.scripts.get(key) ?? (prompt.isNew ? parseOrComplain(prompt.script) : [])
  conversation.scripts.set(key, left)
  return left
}

/** A script that cannot be read answers with an error that says why. */
const parseOrComplain = (script: string): Step[] => {
  try {
    return parseScript(script)
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    return [{ do: 'ERROR', status: 400, message: error.message }]
  }
}
