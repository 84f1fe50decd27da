import type { AgentState } from '../../../contract/agent.ts'
import type { TurnUsage } from '../../../contract/turn.ts'
import { emptyInput, type Input, insert, sent, withText } from '../terminal/input.ts'
import type { Place } from '../terminal/scroll.ts'
import type { Block, Lines } from './blocks.ts'
import { nothingWritten, type Writing } from './markdown.ts'
import { type Asked, askedOf } from './question.ts'
import {
  beginOfTurns,
  blockAt,
  cutAt,
  emptyTranscript,
  type Transcript,
  withBlock,
  withReplaced,
} from './transcript.ts'

export interface Run {
  title: string
  transcript: Transcript
  /** What a rewind took off the screen, newest last: taking the rewind back shows it again. */
  rewound: readonly Transcript[]
  writing: Writing
  /** Where what it thinks at this moment stands. */
  thought: number | null
  /** Tools that have not answered yet, and where they stand. */
  tools: ReadonlyMap<string, number>
  state: AgentState
  /** Since when it is at work, or else in this state. */
  since: number
  usage: TurnUsage | null
  /** What the conversation cost, and what it had cost before this turn. */
  costUsd: number | null
  costBefore: number
  model: string | null
  asked: Asked | null
  /** Questions that were sent to the screen, and of which the terminal has not said that they are drawn. */
  undrawn: number
  /** The prompt being written, and the answer to a question. */
  input: Input
  answer: Input
  /** Prompts for when it is idle, and the one on its way; empty: it has taken that, and is not at work yet. */
  queue: readonly string[]
  sending: string | null
  /** Null: the newest is in sight, and what comes. */
  bottom: Place | null
  isUnfolded: boolean
  doing: string | null
  notice: string | null
  /** Ctrl-C was the last key: once more ends the run. */
  isLeaving: boolean
}

export const emptyRun = (title: string, isUnfolded: boolean, history: readonly string[] = []): Run => ({
  title,
  transcript: emptyTranscript,
  rewound: [],
  writing: nothingWritten,
  thought: null,
  tools: new Map(),
  state: 'starting',
  since: 0,
  usage: null,
  costUsd: null,
  costBefore: 0,
  model: null,
  asked: null,
  undrawn: 0,
  input: { ...emptyInput, history },
  answer: emptyInput,
  queue: [],
  sending: null,
  bottom: null,
  isUnfolded,
  doing: null,
  notice: null,
  isLeaving: false,
})

export const isAtWork = ({ state }: Pick<Run, 'state'>): boolean => /^(working|awaiting_)/.test(state)

export const isMoving = (run: Run): boolean =>
  isAtWork(run) || run.state === 'starting' || run.sending !== null || run.doing !== null

export const append = (run: Run, block: Block): Run => ({ ...run, transcript: withBlock(run.transcript, block) })

export const withNote = (run: Run, text: string, isError = false): Run =>
  append(append(run, { kind: 'gap' }), { kind: 'note', text, isError })

/** Turns that the agent no longer knows are not shown; those that it knows again are. */
export const withMove = (run: Run, from: string, to: string): Run => {
  const turns = Number.parseInt(from, 10) - Number.parseInt(to, 10)
  if (turns > 0) {
    const transcript = cutAt(run.transcript, beginOfTurns(run.transcript, turns))
    return { ...run, transcript, tools: new Map(), bottom: null, rewound: [...run.rewound, run.transcript] }
  }
  const before = run.rewound.at(-1)
  if (turns === 0 || before === undefined) return run
  return { ...run, transcript: before, tools: new Map(), bottom: null, rewound: run.rewound.slice(0, -1) }
}

export const withNotice = (run: Run, notice: string): Run => ({ ...run, notice })

/** A prompt goes to the end of the queue, which is empty most of the time. */
export const queued = (run: Run, text: string): Run => ({ ...run, queue: [...run.queue, text], bottom: null })

/** The next prompt, once the agent can take it. */
export const due = (run: Run): [Run, string | null] => {
  const [next, ...queue] = run.queue
  if (run.state !== 'idle' || run.sending !== null || run.doing !== null || next === undefined) return [run, null]
  return [{ ...run, queue, sending: next }, next]
}

/** A prompt that was not taken is there to be sent again, unless something else is being written. */
export const withUnsent = (run: Run, text: string, notice: string): Run => {
  const failed = { ...run, sending: null, notice }
  return run.input.text === ''
    ? { ...failed, input: withText(run.input, text) }
    : { ...failed, queue: [text, ...run.queue] }
}

/** The newest of what waits is to be written anew. */
export const withTakenBack = (run: Run): Run => ({
  ...run,
  queue: run.queue.slice(0, -1),
  input: withText(run.input, run.queue.at(-1) ?? ''),
})

export const withInputSent = (run: Run): Run => ({ ...run, input: sent(run.input) })

/** Pasted text is never a key. */
export const withPaste = (run: Run, text: string, isAnswering: boolean): Run =>
  isAnswering ? { ...run, answer: insert(run.answer, text) } : { ...run, input: insert(run.input, text) }

/** The question is on its way to the screen. */
export const withSent = (run: Run, now: number): Run =>
  run.asked === null ? run : { ...run, asked: { ...run.asked, sentAt: now }, undrawn: run.undrawn + 1 }

/** The terminal has drawn what it was sent; of several questions the last one counts. */
export const withDrawn = (run: Run, now: number): Run => {
  const undrawn = Math.max(0, run.undrawn - 1)
  const isShown = run.asked !== null && run.asked.sentAt !== null && undrawn === 0
  return { ...run, undrawn, asked: isShown && run.asked !== null ? { ...run.asked, drawnAt: now } : run.asked }
}

/** An answer that did not arrive: it is still asked. */
export const withUnanswered = (run: Run, { question }: Asked, notice: string): Run => ({
  ...run,
  notice,
  asked: run.asked ?? askedOf(question),
})

/** Where in their file edits begin: of a tool call, or of what is asked. */
export const withLinesOf = (run: Run, n: number, lines: Lines): Run => {
  const block = blockAt(run.transcript, n)
  return block?.kind === 'tool' ? { ...run, transcript: withReplaced(run.transcript, n, { ...block, lines }) } : run
}

export const withAskedLines = (run: Run, id: string, lines: Lines): Run =>
  run.asked?.question.id === id ? { ...run, asked: { ...run.asked, lines } } : run
