import type { Question } from '../../contract/agent.ts'
import type { LiveEvent } from '../../contract/live.ts'
import type { RunDecision } from '../../contract/run.ts'
import type { MovedView } from '../../contract/routes/sessions.ts'
import { checkingText } from './decide.ts'
import { EventsQueue } from './events-queue.ts'
import type { RunView } from './run.ts'
import type { ScreenEvent } from '../tui/run/ports.ts'

const goOnAnswer = 'go on'
const endAnswer = 'end it'
const pauseTool = 'rein run'

/** Passes events and decisions of a run to its screen. */
export class ScreenView implements RunView {
  readonly queue = new EventsQueue<ScreenEvent>()
  /** Moves that a command of ours has told of, which may be before we hear of them. */
  readonly #told = new Set<string | null>()
  #turns = 0
  #pause: Question | null = null
  #last: Extract<LiveEvent, { kind: 'state' }> | null = null

  get turns(): number {
    return this.#turns
  }

  event(event: LiveEvent): void {
    if (event.kind === 'ended') this.#turns += 1
    if (event.kind === 'moved' && this.#told.has(event.move.id)) return
    if (event.kind !== 'state') return this.queue.push(event)
    this.#last = event
    if (event.state !== 'paused') this.#pause = null
    this.queue.push({ ...event, question: event.question ?? this.#pause })
  }

  /** A command has printed this move already. */
  tellMove<T extends Pick<MovedView, 'id'>>(moved: T): T {
    this.#told.add(moved.id)
    return moved
  }

  /** A pause is a question to the person; the agent's state may change before or after it. */
  decided(decision: RunDecision): void {
    if (decision.action === 'prompt' && decision.turns > 0)
      this.queue.push({ kind: 'note', text: `↻ ${decision.reason}` })
    if (decision.action !== 'pause') return
    this.#pause = {
      id: `pause-${decision.turns}`,
      kind: 'question',
      tool: pauseTool,
      input: {},
      summary: `It is paused ${decision.reason}. Another turn?`,
      options: [goOnAnswer, endAnswer],
    }
    if (this.#last?.state === 'paused') this.queue.push({ ...this.#last, question: this.#pause })
  }

  checking(command: string): void {
    this.queue.push({ kind: 'note', text: checkingText(command) })
  }
}

/** Not the agent asked, but the run itself. */
export const isPause = ({ tool, id }: Question): boolean => tool === pauseTool && id.startsWith('pause-')

/** By the number of the option, or in words. */
export const saysGoOn = (answer: string): boolean => answer === '1' || answer.trim().toLowerCase() === goOnAnswer
