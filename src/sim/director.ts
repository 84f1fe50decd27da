/** Decides which steps answer a request. Keeps, per conversation, how far each script has come. */
import { newestPrompt, newText, purposeOf } from './request.ts'
import type { MessagesBody } from './request.ts'
import { reactions } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { formatScript, isReply, parseScript, ScriptError } from './script.ts'
import type { Step } from './script.ts'
import { sideAnswer, SUMMARY } from './side.ts'

export type Kind = 'scripted' | 'reflex' | 'default' | 'compaction' | 'side'

export interface Answer {
  kind: Kind
  steps: Step[]
}

interface Conversation {
  scripts: Map<string, Step[]>
  reflexes: Step[]
  reactedTo: Set<string>
  fallback: Step[]
}

export type Director = (conversation: string, body: MessagesBody) => Answer

export function createDirector(scenario: Scenario): Director {
  const conversations = new Map<string, Conversation>()
  return (id, body) => {
    const purpose = purposeOf(body)
    if (purpose === 'side') return { kind: purpose, steps: [{ do: 'SAY', text: sideAnswer(body) }] }
    if (purpose === 'compaction') {
      forgetFinished(conversations.get(id)?.scripts)
      return { kind: purpose, steps: [{ do: 'SAY', text: SUMMARY }] }
    }
    const conversation = conversations.get(id) ?? newConversation()
    conversations.set(id, conversation)
    return mainAnswer(scenario, conversation, body)
  }
}

/** A compaction takes the prompts away, so a finished script that is prompted again must start again. */
function forgetFinished(scripts: Map<string, Step[]> = new Map()): void {
  for (const [key, left] of scripts) if (left.length === 0) scripts.delete(key)
}

function newConversation(): Conversation {
  return { scripts: new Map(), reflexes: [], reactedTo: new Set(), fallback: [] }
}

function mainAnswer(scenario: Scenario, conversation: Conversation, body: MessagesBody): Answer {
  queueReflexes(scenario, conversation, newText(body))
  const sources: { kind: Kind; steps: Step[] }[] = [
    { kind: 'reflex', steps: conversation.reflexes },
    { kind: 'scripted', steps: currentScript(conversation, body) },
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
function currentScript(conversation: Conversation, body: MessagesBody): Step[] {
  const prompt = newestPrompt(body)
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
