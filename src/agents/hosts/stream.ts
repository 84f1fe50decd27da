import { execFile, spawn } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ProcessRef, Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Answer, Host, HostedAgent, HostEvent, LaunchPlan, WaiterState } from '../../contract/host.ts'
import type { LiveEvent, Viewers } from '../../contract/live.ts'
import type { Driver, StreamEvent, StreamSession } from '../../drivers/contract.ts'
import { awaitStartTime, isGone } from '../../base/util/process.ts'
import { FileTail } from '../conversation/file-tail.ts'
import { endProcess, watchProcess } from './end-process.ts'
import type { Lifeline } from './lifeline.ts'
import { PipeWriter } from './pipe-writer.ts'
import { streamFiles } from './stream-files.ts'

const run = promisify(execFile)
/** Lines of stderr that tell why a process ended. */
const crashLines = 5

/** Some CLIs need many seconds to start; one that is not ready by then waits for something nobody sees. */
const beginLimitMs = 60_000
const failedStopMs = 2000

const tooLate = async (): Promise<never> => {
  await pause(beginLimitMs, undefined, { ref: false })
  throw new Error(`not ready after ${beginLimitMs / 1000} s`)
}

const nobody: Viewers = { isWatched: () => false, tell: () => undefined }

/**
 * An agent without a terminal. Its stdin is a FIFO that it holds open itself and its stdout a file,
 * so it outlives the daemon and the next daemon takes it over where it is; one on a lifeline does not.
 */
export const streamHost = (open: Driver['stream'], viewers: Viewers = nobody, lifeline?: Lifeline): Host => ({
  kind: 'stream',
  start: async (dir, plan, on) => {
    const files = await prepare(dir)
    const child = await spawnAgent(plan, files, lifeline)
    const pid = child.pid ?? 0
    const process = { pid, startTime: (await awaitStartTime(pid)) ?? '' }
    const agent = new StreamAgent(process, dir, { open, on, viewers })
    child.once('exit', (code, signal) => agent.ended(code, signal))
    if (child.exitCode !== null || child.signalCode !== null) agent.ended(child.exitCode, child.signalCode)
    child.unref()
    await agent.begin(plan).catch((cause: Error) => agent.fail(cause))
    return agent
  },
  adopt: async (dir, process, on) => {
    if (isGone(process.pid, process.startTime)) return null
    const agent = new StreamAgent(process, dir, { open, on, viewers })
    agent.watch()
    return agent
  },
})

const prepare = async (dir: string): Promise<ReturnType<typeof streamFiles>> => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const files = streamFiles(dir)
  for (const file of Object.values(files)) rmSync(file, { force: true })
  await run('mkfifo', ['-m', '600', files.input])
  return files
}

const spawnAgent = async (plan: LaunchPlan, files: ReturnType<typeof streamFiles>, lifeline: Lifeline | undefined) => {
  const stdio: number[] = []
  try {
    stdio.push(openSync(files.input, constants.O_RDWR))
    for (const file of [files.output, files.errors]) stdio.push(openSync(file, 'a', 0o600))
    if (lifeline !== undefined) stdio.push(lifeline.openEnd())
    const [command, args] = lifeline?.tie(plan) ?? [plan.command, plan.args]
    const child = spawn(command, args, { cwd: plan.cwd, env: plan.env, stdio, detached: true })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    return child
  } catch (cause) {
    throw new ReinError('failed', `${plan.command} could not be started: ${(cause as Error).message}`)
  } finally {
    for (const fd of stdio) closeSync(fd)
  }
}

type Asked = Extract<StreamEvent, { kind: 'asked' }>

/** What the agent waits for: several sub-agents may ask at once, and go on while another waits. */
class OpenQuestions {
  readonly #asked = new Map<string, Asked>()

  /** The oldest of them as a state; null if nothing is asked. */
  get state(): HostEvent | null {
    const [oldest] = this.#asked.values()
    if (oldest === undefined) return null
    const { question, call, tool, evidence } = oldest
    const state = question.kind === 'permission' ? 'awaiting_permission' : 'awaiting_answer'
    return { kind: 'state', state, evidence, question, call, tool }
  }

  heed(event: StreamEvent): void {
    if (event.kind === 'asked') this.#asked.set(event.question.id, event)
    if (event.kind === 'settled') this.settle(event.ids)
    if (event.kind === 'state' && event.state === 'idle') this.endTurn()
  }

  endTurn(): void {
    for (const [id, { outlastsTurn = false }] of this.#asked) if (!outlastsTurn) this.#asked.delete(id)
  }

  settle(ids: readonly string[]): void {
    for (const [id, { call }] of this.#asked)
      if (ids.includes(id) || (call !== null && ids.includes(call))) this.#asked.delete(id)
  }
}

interface Surroundings {
  open: Driver['stream']
  on: (event: HostEvent) => void
  viewers: Viewers
}

class StreamAgent implements HostedAgent {
  readonly process: ProcessRef
  readonly #files: ReturnType<typeof streamFiles>
  readonly #session: StreamSession
  readonly #on: (event: HostEvent) => void
  readonly #viewers: Viewers
  /** Its directory has its name. */
  readonly #id: string
  readonly #input: PipeWriter
  readonly #output: FileTail
  readonly #questions = new OpenQuestions()
  /** The state of its own turn, which a question of a sub-agent may hide. */
  #turn: HostEvent | undefined
  readonly #gone: Promise<void>
  #leave: () => void = () => undefined
  #unwatch: () => void = () => undefined
  /** Its first prompt is on its way: it is not idle, though its conversation is open. */
  #isBeginning = false
  #hasSpoken = false
  #failure: string | null = null
  #hasEnded = false

  constructor(process: ProcessRef, dir: string, { open, on, viewers }: Surroundings) {
    const files = streamFiles(dir)
    this.process = process
    this.#id = basename(dir)
    this.#files = files
    this.#on = on
    this.#viewers = viewers
    this.#gone = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.#input = new PipeWriter(files.input)
    this.#session = open((line) => this.#input.write(line))
    this.#output = new FileTail(files.output, (lines) => this.#receive(lines))
  }

  /** Nobody reports the end of a process that another daemon started. */
  watch(): void {
    this.#unwatch = watchProcess(this.process, () => this.ended(null, null))
  }

  /** Resolves when the CLI has taken its first prompt, or is gone. */
  async begin(plan: LaunchPlan): Promise<void> {
    this.#isBeginning = plan.firstPrompt !== null
    await Promise.race([this.#session.begin(plan), this.#gone, tooLate()])
    if (this.#hasEnded) return
    this.#isBeginning = false
    if (plan.firstPrompt !== null) await this.prompt(plan.firstPrompt)
  }

  /** Some say nothing until their model does: one that has said anything yet works from now on. */
  async prompt(text: string): Promise<void> {
    await this.#session.prompt(text)
    this.#show(() => [{ kind: 'prompt', text }])
    if (!this.#hasSpoken) return
    this.#on({ kind: 'state', state: 'working', evidence: { source: 'stream', detail: 'prompted' }, question: null })
  }

  wakeWaiter(): boolean {
    return false
  }

  waiter(): WaiterState {
    return 'none'
  }

  interrupt(): Promise<void> {
    return this.#session.interrupt()
  }

  async answer(question: Question, answer: Answer): Promise<void> {
    await this.#session.answer(question, answer)
    this.#questions.settle([question.id])
    // Whoever answered takes the agent for working: the next question comes after that.
    setImmediate(() => this.#ask())
  }

  readScreen(lines: number): string {
    try {
      return readFileSync(this.#files.errors, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
    } catch {
      return ''
    }
  }

  endTurn(): void {
    this.#session.endTurn?.()
    this.#questions.endTurn()
  }

  /** It runs, but takes no prompts: ended, with the reason. A process that is gone already says why by its exit. */
  async fail({ message }: Error): Promise<void> {
    if (this.#hasEnded) return
    this.#failure = message
    await this.stop(failedStopMs)
  }

  stop(timeoutMs: number): Promise<void> {
    return endProcess(this.process, timeoutMs)
  }

  release(): void {
    this.#hasEnded = true
    this.#unwatch()
    this.#leave()
    this.#output.close()
    this.#input.close()
  }

  ended(code: number | null, signal: string | null): void {
    if (this.#hasEnded) return
    this.#output.read()
    this.release()
    const how = signal ?? (code === null ? 'exit code unknown' : `exit code ${code}`)
    const detail = [this.#failure ?? how, this.readScreen(crashLines)].filter(Boolean).join(': ')
    this.#on({ kind: 'exit', code, signal, evidence: { source: 'process', detail } })
  }

  /** Many lines at once (a takeover reads them all): only the last word on the state is news. */
  #receive(lines: string[]): void {
    this.#hasSpoken = true
    const events = lines.filter((line) => line !== '').flatMap((line) => this.#understand(line))
    const wasAsking = this.#questions.state !== null
    for (const event of events) this.#questions.heed(event)
    const news = events.filter((event) => event.kind !== 'asked' && event.kind !== 'settled')
    const last = (kind: HostEvent['kind']) => news.findLast((event) => event.kind === kind)
    this.#turn = last('state') ?? this.#turn
    const state = this.#questions.state ?? last('state') ?? (wasAsking ? this.#turn : undefined)
    for (const event of [last('conversation'), last('model'), state ?? last('activity')])
      if (event !== undefined && !this.#isEarly(event)) this.#on(event)
  }

  /** A line that nobody understands is activity, and no reason to stop. */
  #understand(line: string): StreamEvent[] {
    try {
      const events = this.#session.receive(line)
      this.#show(() => this.#session.live(line))
      return events
    } catch {
      return [{ kind: 'activity' }]
    }
  }

  /** Only what somebody looks at is made. */
  #show(events: () => LiveEvent[]): void {
    if (!this.#viewers.isWatched(this.#id)) return
    for (const event of events()) this.#viewers.tell(this.#id, event)
  }

  #isEarly(event: HostEvent): boolean {
    return this.#isBeginning && event.kind === 'state' && event.state === 'idle'
  }

  #ask(): void {
    const { state } = this.#questions
    if (state !== null && !this.#hasEnded) this.#on(state)
  }
}
