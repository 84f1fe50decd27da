/** Answers as a recording says: which reply comes next is told by its place in the conversation, not by any text. */
import { calling, saying, thinking } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Answer, Director } from './director.ts'
import { Order } from './order.ts'
import type { Speaker } from './order.ts'
import { newMessages, purposeOf, textOfAll } from './received.ts'
import type { Received, Tool } from './received.ts'
import { sideAnswer, SUMMARY } from './side.ts'
import { toolNamed } from './tools.ts'

export type RecordedBlock =
  | { type: 'thinking'; text: string }
  | { type: 'text'; text: string }
  | { type: 'call'; id: string; name: string; input: Record<string, unknown> }

export type RecordedReply = readonly RecordedBlock[]

/** What one of them said, and when. */
interface RecordedSpeech {
  replies: readonly RecordedReply[]
  saidAt: readonly number[]
}

/** The conversation of a sub-agent: known by how it begins. */
export interface RecordedHelper extends RecordedSpeech {
  prompt: string
}

/** A turn of the agent itself. */
export interface RecordedSpan extends RecordedSpeech {
  /** The call whose end began it, by itself; null where somebody prompted. */
  follows: string | null
  endedAt: number
}

/** What became of the replies of a turn. */
export interface TurnTally {
  /** How often the agent asked. */
  requests: number
  /** Replies that nobody has asked for yet. */
  left: number
  /** Requests that there was no reply to, of the agent or of a sub-agent. */
  unanswered: number
}

export interface Recorded {
  director: Director
  /** All that will be played, and what sub-agents are answered with. */
  knows: (turns: readonly RecordedSpan[], helpers: readonly RecordedHelper[]) => void
  /** From here on the agent is answered with these turns of all, the first of which is prompted; what is left of those before is not said any more. */
  begin: (first: number, count: number) => void
  /** So many of the turns that were begun have ended. */
  ended: (count: number) => void
  /** Which of the turns that were begun the agent is in. */
  current: () => number
  /** One for each turn that was begun. */
  tally: () => TurnTally[]
}

/** What is said where a recording has nothing more to say; it ends the turn. */
export const NOTHING_RECORDED = 'The recording has no reply to this.'
/** Longer than what goes as it did then takes to come to the same place. */
const patienceMs = 20_000

interface Asker extends Speaker {
  replies: readonly RecordedReply[]
  next: number
}

interface Turn extends Asker {
  follows: string | null
  /** Says one thing: that it is over. */
  end: Speaker
  unanswered: number
}

const silence: RecordedSpeech = { replies: [], saidAt: [] }

export function playRecorded(): Recorded {
  const order = new Order(patienceMs)
  const unused: RecordedHelper[] = []
  const others = new Map<string, Asker>()
  const turns: Turn[] = []
  let open: Turn[] = []
  let current = 0
  let mainConversation: string | undefined
  const end = (all: readonly Turn[]): void => {
    for (const turn of all) for (const speaker of [turn, turn.end]) order.finish(speaker)
  }
  const mainAsker = (received: Received): Asker => {
    const text = textOfAll(newMessages(received))
    const follower = open.findIndex(({ follows }, at) => at > current && follows !== null && text.includes(follows))
    if (follower >= 0) {
      current = follower
      end(open.slice(0, current))
    }
    return open[current] ?? asking(silence)
  }
  const askerOf = (received: Received): Asker => {
    const id = received.conversation ?? ''
    mainConversation ??= id
    if (id === mainConversation) return mainAsker(received)
    const asker = others.get(id) ?? asking(takeHelper(unused, received) ?? silence)
    others.set(id, asker)
    order.join(asker)
    return asker
  }
  const answer = (received: Received): Answer => {
    const asker = askerOf(received)
    const reply = nextOf(asker, received.tools)
    const turn = open[current]
    if (reply.kind !== 'recorded' && turn !== undefined) turn.unanswered += 1
    const after = order.next(asker)
    return after === undefined ? reply : { ...reply, after }
  }
  return {
    director: (received) => sideOf(received) ?? answer(received),
    knows: (spans, helpers) => {
      unused.push(...helpers)
      turns.push(...spans.map(turnOf))
      for (const turn of turns) for (const speaker of [turn, turn.end]) order.join(speaker)
    },
    begin: (first, count) => {
      end(turns.slice(0, first))
      open = turns.slice(first, first + count)
      current = 0
      order.keep()
    },
    ended: (count) => end(open.slice(0, count)),
    current: () => current,
    tally: () =>
      open.map(({ replies, next, unanswered }) => ({
        requests: next,
        left: Math.max(0, replies.length - next),
        unanswered,
      })),
  }
}

const asking = ({ replies, saidAt }: RecordedSpeech): Asker => ({ replies, saidAt, said: 0, next: 0 })

const turnOf = ({ follows, endedAt, ...speech }: RecordedSpan): Turn => ({
  ...asking(speech),
  follows,
  end: { saidAt: [endedAt], said: 0 },
  unanswered: 0,
})

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
