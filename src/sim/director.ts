/** Decides which steps answer a request. Keeps, per conversation, how far each script has come. */
import type { Block } from './blocks.ts'
import { newestPrompt } from './prompt.ts'
import { newMessages, purposeOf, textOfAll } from './received.ts'
import type { Received } from './received.ts'
import { reactions } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { formatScript, isFailure, isReply, parseScript, ScriptError } from './script.ts'
import type { Step } from './script.ts'
import { sideAnswer, SUMMARY } from './side.ts'

export type Kind = 'scripted' | 'recorded' | 'reflex' | 'default' | 'compaction' | 'side'

export interface Answer {
  kind: Kind
  steps: Step[]
  /** A whole reply as it was recorded, instead of steps. */
  blocks?: readonly Block[]
  /** It is not to be given before. */
  after?: Promise<void> | undefined
}

interface Conversation {
  scripts: Map<string, Step[]>
  reflexes: Step[]
  reactedTo: Set<string>
  fallback: Step[]
  /** The last reply was no failure, so the client's next request holds it. */
  answered: boolean
}

export type Director = (received: Received) => Answer

export function createDirector(scenario: Scenario): Director {
  const conversations = new Map<string, Conversation>()
  return (received) => {
    const id = keyOf(received)
    const purpose = purposeOf(received)
    if (purpose === 'side') return { kind: purpose, steps: [{ do: 'SAY', text: sideAnswer(received.schema) }] }
    if (purpose === 'compaction') {
      forgetFinished(conversations.get(id)?.scripts)
      return { kind: purpose, steps: [{ do: 'SAY', text: SUMMARY }] }
    }
    const known = conversations.get(id)
    const conversation = known === undefined || beginsAnew(known, received) ? newConversation() : known
    conversations.set(id, conversation)
    const answer = mainAnswer(scenario, conversation, received)
    conversation.answered = !isFailure(answer.steps.at(-1))
    return answer
  }
}

/** Where a client does not name its conversation, what it began with does. */
function keyOf({ conversation, messages }: Received): string {
  return conversation ?? textOfAll(messages.slice(0, 1))
}

/** The same beginning again, without the reply that it already had, is another conversation. */
function beginsAnew({ answered }: Conversation, { conversation, messages }: Received): boolean {
  return conversation === undefined && answered && messages.every(({ role }) => role !== 'assistant')
}

/** A compaction takes the prompts away, so a finished script that is prompted again must start again. */
function forgetFinished(scripts: Map<string, Step[]> = new Map()): void {
  for (const [key, left] of scripts) if (left.length === 0) scripts.delete(key)
}

function newConversation(): Conversation {
  return { scripts: new Map(), reflexes: [], reactedTo: new Set(), fallback: [], answered: false }
}

function mainAnswer(scenario: Scenario, conversation: Conversation, received: Received): Answer {
  queueReflexes(scenario, conversation, textOfAll(newMessages(received)))
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

/** Each reaction is played once in a conversation, however often the same text comes again. */
function queueReflexes(scenario: Scenario, conversation: Conversation, text: string): void {
  for (const steps of reactions(scenario, text)) {
    const key = formatScript(steps)
    if (conversation.reactedTo.has(key)) continue
    conversation.reactedTo.add(key)
    conversation.reflexes.push(...steps)
  }
}

/** What is left of the newest script. One that was begun elsewhere (before a fork or a restart) is not begun again. */
function currentScript(conversation: Conversation, received: Received): Step[] {
  const prompt = newestPrompt(received)
  if (prompt === undefined) return []
  const key = `${prompt.occurrence} ${prompt.script}`
  const left = conversation.scripts.get(key) ?? (prompt.isNew ? parseOrComplain(prompt.script) : [])
  conversation.scripts.set(key, left)
  return left
}

/** A script that cannot be read answers with an error that says why. */
function parseOrComplain(script: string): Step[] {
  try {
    return parseScript(script)
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    return [{ do: 'ERROR', status: 400, message: error.message }]
  }
}
