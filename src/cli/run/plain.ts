import type { Question } from '../../contract/agent.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { LiveEvent } from '../../contract/live.ts'
import type { RunDecision } from '../../contract/run.ts'
import { blockLines } from '../sessions/turn-text.ts'
import { indented, printable } from '../format.ts'
import { wentText } from '../sessions/move-text.ts'
import type { Output, Style } from '../output.ts'
import { block } from '../safe-text.ts'
import { checkingText } from './decide.ts'
import type { RunView } from './run.ts'

interface PlainOutput {
  out: Output
  /** Standard output as it is: what the model says goes there, and nothing else. */
  write: (text: string) => void
  isTerminal: boolean
  isVerbose: boolean
  /** How the agent is called in commands. */
  name: () => string
}

/** For pipes: the model's words on standard output, everything else on standard error. */
export class PlainView implements RunView {
  readonly #to: PlainOutput
  #isLineOpen = false

  constructor(to: PlainOutput) {
    this.#to = to
  }

  event(event: LiveEvent): void {
    if (event.kind === 'text') {
      // A pipe gets the model's text byte for byte, a terminal only what cannot harm it.
      this.#to.write(this.#to.isTerminal ? printable(event.text) : event.text)
      this.#isLineOpen = !event.text.endsWith('\n')
      return
    }
    this.#endLine()
    for (const line of this.#notes(event)) this.#to.out.note(line)
  }

  decided(decision: RunDecision): void {
    this.#endLine()
    if (decision.action === 'pause') this.#to.out.note(`‖ Paused: ${decision.reason}.`)
    else if (decision.turns > 0) this.#to.out.note(this.#style.dim(`↻ ${printable(decision.reason)}`))
  }

  checking(command: string): void {
    this.#endLine()
    this.#to.out.note(this.#style.dim(printable(checkingText(command))))
  }

  get #style(): Style {
    return this.#to.out.style
  }

  #endLine(): void {
    if (this.#isLineOpen) this.#to.write('\n')
    this.#isLineOpen = false
  }

  #notes(event: LiveEvent): string[] {
    const { isVerbose } = this.#to
    switch (event.kind) {
      case 'tool':
        return [
          ...blockLines({ type: 'tool_use', ...event }, this.#to.out),
          ...this.#whole(JSON.stringify(event.input)),
        ]
      case 'tool_result':
        return isVerbose
          ? [...blockLines({ type: 'tool_result', ...event }, this.#to.out), ...this.#whole(event.text)]
          : []
      case 'state': {
        const { state, question, reason, isHeldUp = false } = event
        const name = this.#to.name()
        // Then the run ends and says why.
        if (isLoginQuestion(question)) return []
        if (question !== null) return [questionNote(question, name)]
        // Where Rein paused it, the run ends and says why.
        if (state === 'paused' && !isHeldUp)
          return [`‖ It is paused. Go on: rein resume ${name}; end it: rein down ${name}`]
        return state === 'limited' ? [`⏳ A usage limit: ${printable(reason)}. It goes on when that is over.`] : []
      }
      case 'ended':
        return event.isError ? [this.#style.red(`✗ ${printable(event.reason)}`)] : []
      case 'moved':
        return [`⇄ ${printable(wentText(event.move))}`]
      case 'gap':
        return [this.#style.yellow('… something is missing here')]
      default:
        return []
    }
  }

  #whole(text: string): string[] {
    return this.#to.isVerbose ? [this.#style.dim(block(text, this.#to.out))] : []
  }
}

const questionNote = ({ kind, summary, why }: Question, name: string): string => {
  const answers = kind === 'question' ? "'You decide.'" : `allow, or: rein answer ${name} deny`
  const reason = why === undefined ? '' : `\n  ${indented(why)}`
  return `? It asks: ${printable(summary)}${reason}\n  Answer: rein answer ${name} ${answers}`
}
