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

export interface Recorded {
  director: Director
  /** From here on the main agent is answered with these; what is left of those before is not said any more. */
  begin(replies: readonly RecordedReply[]): void
  /** How many of the replies of this turn nobody has asked for yet. */
  left(): number
}

/** What is said where a recording has nothing more to say; it ends the turn. */
export const NOTHING_RECORDED = 'The recording has no reply to this.'

interface Asker {
  replies: readonly RecordedReply[]
  next: number
}

export function playRecorded(helpers: readonly RecordedHelper[] = []): Recorded {
  let main: Asker = { replies: [], next: 0 }
  let mainConversation: string | undefined
  const others = new Map<string, Asker>()
  const askerOf = (received: Received): Asker => {
    const id = received.conversation ?? ''
    mainConversation ??= id
    if (id === mainConversation) return main
    const known = others.get(id) ?? { replies: repliesOf(helpers, received), next: 0 }
    others.set(id, known)
    return known
  }
  return {
    director: (received) => sideOf(received) ?? nextOf(askerOf(received), received.tools),
    begin: (replies) => void (main = { replies, next: 0 }),
    left: () => Math.max(0, main.replies.length - main.next),
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

function repliesOf(helpers: readonly RecordedHelper[], { messages }: Received): readonly RecordedReply[] {
  const text = textOfAll(messages)
  return helpers.find(({ prompt }) => text.includes(prompt))?.replies ?? []
}
