/** Answers from a recording: the next reply follows from its place in the conversation, not from any text. */
import { calling, saying, thinking } from './blocks.ts'
import type { Answer, Director } from './director.ts'
import { Order, type Speaker } from './order.ts'
import { selectNewMessages, findPurpose, type Received, joinTexts } from './received.ts'
import { answerSideQuery, compactionSummary } from './side.ts'
import { findTool } from './tools.ts'

export type RecordedBlock =
  | { type: 'thinking'; text: string }
  | { type: 'text'; text: string }
  | { type: 'call'; id: string; name: string; input: Record<string, unknown> }

export type RecordedReply = readonly RecordedBlock[]

/** The replies of one speaker, with their times. */
interface RecordedSpeech {
  replies: readonly RecordedReply[]
  saidAt: readonly number[]
}

/** A sub-agent's conversation, recognised by its first prompt. */
export interface RecordedHelper extends RecordedSpeech {
  prompt: string
}

/** A turn of the agent itself. */
export interface RecordedSpan extends RecordedSpeech {
  /** The call whose end started it without a prompt; null for a prompted turn. */
  follows: string | null
  endedAt: number
}

/** How the recorded replies of a turn were used. */
export interface TurnTally {
  /** How many requests the agent made. */
  requests: number
  /** Replies not requested yet. */
  left: number
  /** Requests of the agent or a sub-agent without a recorded reply. */
  unanswered: number
}

export interface Recorded {
  director: Director
  /** Loads all turns to play, and the replies for sub-agents. */
  knows: (turns: readonly RecordedSpan[], helpers: readonly RecordedHelper[]) => void
  /** Answers the agent from these turns on, the first of which is prompted; drops the unused replies of earlier turns. */
  begin: (first: number, count: number) => void
  /** Marks this many of the begun turns as ended. */
  ended: (count: number) => void
  /** The index of the agent's turn among the begun ones. */
  current: () => number
  /** One tally per begun turn. */
  tally: () => TurnTally[]
}

/** Said when the recording has no further reply; it ends the turn. */
export const nothingRecorded = 'The recording has no reply to this.'
/** Longer than a faithful replay needs to reach the same point. */
const patienceMs = 20_000

interface Asker extends Speaker {
  replies: readonly RecordedReply[]
  next: number
}

interface Turn extends Asker {
  follows: string | null
  /** Speaks once: the turn is over. */
  end: Speaker
  unanswered: number
}

const silence: RecordedSpeech = { replies: [], saidAt: [] }

export const playRecorded = (): Recorded => {
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
    const text = joinTexts(selectNewMessages(received))
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
    const text = joinTexts(received.messages)
    const asker = others.get(id) ?? asking(takeHelper(unused, text) ?? silence)
    others.set(id, asker)
    order.join(asker)
    return asker
  }
  const answer = (received: Received): Answer => {
    const asker = askerOf(received)
    const recorded = asker.replies[asker.next]
    asker.next += 1
    const reply: Answer =
      recorded === undefined
        ? { kind: 'default', steps: [{ do: 'SAY', text: nothingRecorded }] }
        : {
            kind: 'recorded',
            steps: [],
            blocks: renderBlocks(recorded, received),
          }
    const turn = open[current]
    if (recorded === undefined && turn !== undefined) turn.unanswered += 1
    const after = order.next(asker)
    return after === undefined ? reply : { ...reply, after }
  }
  return {
    director: (received) => {
      const kind = findPurpose(received)
      if (kind === 'main') return answer(received)
      return {
        kind,
        steps: [{ do: 'SAY', text: kind === 'side' ? answerSideQuery(received.schema) : compactionSummary }],
      }
    },
    knows: (spans, helpers) => {
      unused.push(...helpers)
      for (const { follows, endedAt, ...speech } of spans)
        turns.push({ ...asking(speech), follows, end: { saidAt: [endedAt], said: 0 }, unanswered: 0 })
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

/** Several helpers may begin with the same prompt, so each is used once. */
const takeHelper = (unused: RecordedHelper[], text: string): RecordedHelper | undefined => {
  const found = unused.findIndex(({ prompt }) => text.includes(prompt))
  return found < 0 ? undefined : unused.splice(found, 1)[0]
}

const renderBlocks = (reply: RecordedReply, { tools }: Received): Answer['blocks'] =>
  reply.map((block) => {
    if (block.type === 'thinking') return thinking(block.text)
    if (block.type === 'text') return saying(block.text)
    return { ...calling({ ...findTool(block.name, tools), input: block.input }), id: block.id }
  })

const asking = ({ replies, saidAt }: RecordedSpeech): Asker => ({ replies, saidAt, said: 0, next: 0 })
