/** Answers as a recording says: which reply comes next is told by its place in the conversation, not by any text. */
import { calling, saying, thinking } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Answer, Director } from './director.ts'
import { purposeOf, textOfAll } from './received.ts'
import type { Received, Tool } from './received.ts'
import { sideAnswer, SUMMARY } from './side.ts'
import { toolNamed } from './tools.ts'

export type RecordedBlock =
  | { type: 'thinking'; text: string }
  | { type: 'text'; text: string }
  | { type: 'call'; id: string; name: string; input: Record<string, unknown> }

export type RecordedReply = readonly RecordedBlock[]

/** The conversation of a sub-agent: known by how it begins. */
export interface RecordedHelper {
  prompt: string
  replies: readonly RecordedReply[]
}

/** What became of the replies of a turn. */
export interface TurnTally {
  /** Replies that nobody has asked for yet. */
  left: number
  /** Requests that there was no reply to, of the agent or of a sub-agent. */
  unanswered: number
}

export interface Recorded {
  director: Director
  /** What sub-agents are answered with. */
  knows: (helpers: readonly RecordedHelper[]) => void
  /** From here on the main agent is answered with these; what is left of those before is not said any more. */
  begin: (replies: readonly RecordedReply[]) => void
  tally: () => TurnTally
}

/** What is said where a recording has nothing more to say; it ends the turn. */
export const NOTHING_RECORDED = 'The recording has no reply to this.'

interface Asker {
  replies: readonly RecordedReply[]
  next: number
}

export function playRecorded(): Recorded {
  const unused: RecordedHelper[] = []
  const others = new Map<string, Asker>()
  let main: Asker = { replies: [], next: 0 }
  let mainConversation: string | undefined
  let unanswered = 0
  const askerOf = (received: Received): Asker => {
    const id = received.conversation ?? ''
    mainConversation ??= id
    if (id === mainConversation) return main
    const asker = others.get(id) ?? { replies: takeHelper(unused, received)?.replies ?? [], next: 0 }
    others.set(id, asker)
    return asker
  }
  const answer = (received: Received): Answer => {
    const reply = nextOf(askerOf(received), received.tools)
    if (reply.kind !== 'recorded') unanswered += 1
    return reply
  }
  return {
    director: (received) => sideOf(received) ?? answer(received),
    knows: (helpers) => void unused.push(...helpers),
    begin: (replies) => {
      main = { replies, next: 0 }
      unanswered = 0
    },
    tally: () => ({ left: Math.max(0, main.replies.length - main.next), unanswered }),
  }
}

function sideOf(received: Received): Answer | null {
  const kind = purposeOf(received)
  if (kind === 'main') return null
  return { kind, steps: [{ do: 'SAY', text: kind === 'side' ? sideAnswer(received.schema) : SUMMARY }] }
}

function nextOf(asker: Asker, tools: readonly Tool[]): Answer {
  const reply = asker.replies[asker.next]
  asker.next += 1
  if (reply === undefined) return { kind: 'default', steps: [{ do: 'SAY', text: NOTHING_RECORDED }] }
  return { kind: 'recorded', steps: [], blocks: reply.map((block) => blockOf(block, tools)) }
}

function blockOf(block: RecordedBlock, tools: readonly Tool[]): Block {
  if (block.type === 'thinking') return thinking(block.text)
  if (block.type === 'text') return saying(block.text)
  return { ...calling({ ...toolNamed(block.name, tools), input: block.input }), id: block.id }
}

/** Several may begin with the same words: each is one of them. */
function takeHelper(unused: RecordedHelper[], { messages }: Received): RecordedHelper | undefined {
  const text = textOfAll(messages)
  const found = unused.findIndex(({ prompt }) => text.includes(prompt))
  return found < 0 ? undefined : unused.splice(found, 1)[0]
}
