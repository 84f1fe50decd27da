import type { ProcessRef, Question } from '../../../contract/agent.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { Answer, HostedAgent, HostEvent, WaiterState } from '../../../contract/host.ts'
import type { Evidence } from '../../../contract/identity.ts'
import type { ScreenReading, Terminal } from '../../../drivers/contract.ts'
import { dialogShown } from '../../../drivers/shown-dialog.ts'
import { hasLostTerminal, isGone } from '../../../base/util/process.ts'
import { releaseOrphans, waiterState, wakeThroughWaiter, watchWaiters } from '../../wake/waiters.ts'
import { endProcess, watchProcess } from '../end-process.ts'
import { postponementOf, refusalOf } from './careful.ts'
import { type Dialog, idOf } from './choose-option.ts'
import type { Screen } from './screen.ts'
import { Typist } from './typist.ts'
import { type Look, Watch } from './watch.ts'

const endLimitMs = 5000
/** What turns and counts while nothing else happens. */
const turning = /[\d\u2800-\u28ff◐◓◑◒◴◷◶◵✻✶✳✢✽·∙*|/\\-]/g

export interface TerminalParts {
  terminal: Terminal
  /** Where the waiters of an agent listen. */
  waiters: (agentDir: string) => string
  /** How long nothing is typed after a person did. */
  quietMs: number
  /** What stands so long on a screen without an input box waits for a person, whatever it is. */
  stillMs: number
}

/** An agent in a terminal, whichever host that is: looked at, typed to with care, and gone when its process is. */
export class TerminalAgent implements HostedAgent {
  readonly process: ProcessRef
  readonly #screen: Screen
  readonly #parts: TerminalParts
  readonly #waiters: string
  readonly #on: (event: HostEvent) => void
  readonly #typist: Typist
  readonly #watch: Watch
  readonly #stops: (() => void)[]
  #text = ''
  #still = { text: '', since: 0 }
  #reading: ScreenReading = { kind: 'unknown' }
  #isOver = false
  #isEnding = false

  constructor(process: ProcessRef, dir: string, screen: Screen, parts: TerminalParts, on: (event: HostEvent) => void) {
    this.process = process
    this.#screen = screen
    this.#parts = parts
    this.#waiters = parts.waiters(dir)
    this.#on = on
    const looks = { now: () => this.#read(), asked: () => this.#readAsked() }
    this.#typist = new Typist(screen, parts.terminal, parts.quietMs, looks)
    this.#watch = new Watch(
      () => this.#look(),
      () => this.#report(),
    )
    this.#stops = [
      watchProcess(process, () => void this.#ended()),
      watchWaiters(this.#waiters, process, () => on({ kind: 'waiter_died' })),
      screen.onChange(() => this.#noticed()),
    ]
  }

  prompt(text: string): Promise<void> {
    return this.#typist.prompt(text)
  }

  wakeWaiter(): boolean {
    if (this.#reading.kind === 'limited') void this.#typist.closeLimit().catch(() => undefined)
    return wakeThroughWaiter(this.#waiters, this.process)
  }

  waiter(): WaiterState {
    return waiterState(this.#waiters, this.process)
  }

  interrupt(): Promise<void> {
    return this.#typist.interrupt()
  }

  answer(question: Question, answer: Answer): Promise<void> {
    return this.#typist.answer(question, answer)
  }

  async isInUse(): Promise<boolean> {
    const reason = refusalOf('', await this.#read(), await this.#screen.condition(), this.#parts.quietMs)
    return reason === 'human_typing' || reason === 'copy_mode' || reason === 'draft'
  }

  async whyWait(): Promise<string | null> {
    return postponementOf(await this.#read(), await this.#screen.condition(), this.#parts.quietMs)
  }

  readScreen(lines: number): string {
    return this.#text.trimEnd().split('\n').slice(-lines).join('\n')
  }

  stop(timeoutMs: number): Promise<void> {
    return endProcess(this.process, timeoutMs)
  }

  release(): void {
    this.#isOver = true
    this.#watch.stop()
    for (const stop of this.#stops.splice(0)) stop()
  }

  async #read(): Promise<ScreenReading> {
    this.#text = await this.#screen.read()
    const reading = this.#parts.terminal.read(this.#text)
    this.#reading = reading.kind === 'unknown' && this.#isStill() ? (dialogShown(this.#text) ?? reading) : reading
    return this.#reading
  }

  #isStill(): boolean {
    const [text, now] = [this.#text.replaceAll(turning, ''), performance.now()]
    if (text !== this.#still.text) this.#still = { text, since: now }
    return now - this.#still.since >= this.#parts.stillMs
  }

  /** One that is being answered moves: it is the one that was asked about, or the answer is refused. */
  async #readAsked(): Promise<ScreenReading> {
    const reading = await this.#read()
    return reading.kind === 'unknown' ? (dialogShown(this.#text) ?? reading) : reading
  }

  async #look(): Promise<Look> {
    const { kind } = await this.#read().catch((cause: unknown) => this.#failed(cause))
    return { kind, text: this.#text }
  }

  /** Some live on without their terminal, where nobody can reach them any more. One that only lost the way to it is no such. */
  #failed(cause: unknown): never {
    const isOutOfReach = cause instanceof ReinError && cause.code === 'not_running'
    const isLost = isOutOfReach && hasLostTerminal(this.process.pid)
    if (isLost && !this.#isEnding) void endProcess(this.process, endLimitMs)
    this.#isEnding ||= isLost
    throw cause
  }

  #report(): void {
    const reading = this.#reading
    if (reading.kind === 'unknown') return
    const evidence: Evidence = { source: 'screen', detail: reading.kind === 'dialog' ? reading.name : reading.kind }
    if (reading.kind === 'dialog') {
      const state = reading.asks === 'permission' ? 'awaiting_permission' : 'awaiting_answer'
      this.#on({ kind: 'state', state, evidence, question: questionOn(reading) })
      return
    }
    if (reading.kind === 'limited') {
      this.#on({ kind: 'state', state: 'limited', evidence, question: null, until: reading.until })
      return
    }
    this.#on({ kind: 'state', state: reading.kind === 'busy' ? 'working' : 'idle', evidence, question: null })
  }

  /** The last thing that a terminal shows may be that its program is gone. */
  #noticed(): void {
    if (isGone(this.process.pid, this.process.startTime)) void this.#ended()
    else this.#watch.notice()
  }

  async #ended(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#watch.stop()
    await this.#read().catch(() => undefined)
    const status = await this.#screen.end().catch(() => null)
    this.release()
    releaseOrphans(this.#waiters)
    const how = status === null ? 'exit code unknown' : `exit code ${status}`
    const last = this.readScreen(6)
      .replace(/Pane is dead.*/s, '')
      .trim()
    const detail = [how, last].filter(Boolean).join(': ')
    this.#on({ kind: 'exit', code: status, signal: null, evidence: { source: 'process', detail } })
  }
}

export const questionOn = (reading: Dialog): Question => ({
  id: idOf(reading),
  kind: reading.asks,
  tool: reading.name,
  input: { dialog: reading.text },
  // Frames say nothing.
  summary: reading.text
    .replaceAll(/[\u2500-\u257f]+/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 6)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300),
  options: reading.options.map(({ label }) => label),
})
