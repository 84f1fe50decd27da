import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessRef, Question } from '../../../contract/agent.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { Answer, Host, HostedAgent, HostEvent } from '../../../contract/host.ts'
import type { Evidence } from '../../../contract/identity.ts'
import type { ScreenReading, Terminal } from '../../../drivers/contract.ts'
import { textOf } from '../../../util/ndjson.ts'
import { isSameProcess, processStartTime } from '../../../util/process.ts'
import { releaseOrphans, wakeThroughWaiter } from '../../waiters.ts'
import { endProcess, watchProcess } from '../end-process.ts'
import { paste } from './paste.ts'
import type { ControlClient } from './control.ts'
import { writeLauncher } from './launcher.ts'
import { runTmux, serverOptions } from './server.ts'

export interface TmuxParts {
  socket: string
  control: ControlClient
  terminal: Terminal
  waiters: (agentDir: string) => string
}

const [width, height] = ['220', '50']
/** While something can change without a hook saying so. */
const lookEveryMs = 500
/** An idle agent changes by what we or a hook do; a person's typing shows soon enough. */
const lookWhenIdleMs = 10_000

/** All idle agents are looked at together: waking up costs more than looking. */
const untilNextIdleLook = (): number => lookWhenIdleMs - (Date.now() % lookWhenIdleMs)

/** A CLI takes some time to show what was pasted, and an Enter that comes before is part of the paste. */
const [showLimitMs, showEveryMs] = [3000, 40]

/** An agent in a terminal of Rein's own tmux server: it outlives the daemon, and `rein attach` is the CLI itself. */
export const tmuxHost = (parts: TmuxParts): Host => ({
  kind: 'tmux',
  start: async (dir, plan, on) => {
    const session = sessionOf(dir)
    const launcher = writeLauncher(dir, plan)
    mkdirSync(parts.waiters(dir), { recursive: true, mode: 0o700 })
    await runTmux(parts.socket, 'kill-session', '-t', `=${session}`).catch(() => undefined)
    const options = serverOptions.flatMap((option) => [...option, ';'])
    const pane = ['-d', '-P', '-F', '#{pane_pid}', '-s', session, '-x', width, '-y', height]
    const start = ['new-session', ...pane, launcher]
    const pid = Number(await runTmux(parts.socket, 'start-server', ';', ...options, ...start))
    const process = { pid, startTime: processStartTime(pid) ?? '' }
    return new TmuxAgent(process, dir, parts, on)
  },
  adopt: async (dir, process, on) => {
    releaseOrphans(parts.waiters(dir))
    return isSameProcess(process.pid, process.startTime) ? new TmuxAgent(process, dir, parts, on) : null
  },
})

/** tmux takes no dots or colons in a name, and targets are exact. */
export const sessionOf = (agentDir: string): string => basename(agentDir).replaceAll(/[.:]/g, '-')

class TmuxAgent implements HostedAgent {
  readonly process: ProcessRef
  readonly #dir: string
  readonly #parts: TmuxParts
  readonly #on: (event: HostEvent) => void
  readonly #unwatch: () => void
  #timer: NodeJS.Timeout | null = null
  #screen = ''
  #last: ScreenReading['kind'] = 'unknown'
  #isReleased = false

  constructor(process: ProcessRef, dir: string, parts: TmuxParts, on: (event: HostEvent) => void) {
    this.process = process
    this.#dir = dir
    this.#parts = parts
    this.#on = on
    this.#unwatch = watchProcess(process, () => void this.#ended())
    this.#schedule(0)
  }

  get #target(): string {
    return `=${sessionOf(this.#dir)}:`
  }

  async prompt(text: string): Promise<void> {
    await this.#type(text)
  }

  wakeWaiter(): boolean {
    return wakeThroughWaiter(this.#parts.waiters(this.#dir), this.process)
  }

  async interrupt(): Promise<void> {
    const reading = await this.#look()
    if (reading.kind === 'dialog') throw new ReinError('refused', `A dialog is open (${reading.name}): answer it.`)
    const { keys, pauseMs } = this.#parts.terminal.interrupt
    for (const [index, key] of keys.entries()) {
      if (index > 0) await pause(pauseMs)
      await this.#keys(key)
    }
  }

  /** Presses the key of the option that says so, and only while the dialog that was asked about is on the screen. */
  async answer(question: Question, answer: Answer): Promise<void> {
    const reading = await this.#until(({ kind }) => kind === 'dialog').catch(() => null)
    if (reading?.kind !== 'dialog') throw new ReinError('nothing_to_answer', 'No dialog is open any more.')
    if (!isAbout(reading, question)) {
      throw new ReinError(
        'refused',
        `Another dialog is open by now (${reading.name}).`,
        'Look first: rein ps, or rein attach',
      )
    }
    if (answer.kind === 'text') {
      throw new ReinError('refused', 'A text cannot be given here.', 'Answer allow or deny, or: rein attach')
    }
    const option = reading.options.find(({ means }) => means === answer.kind)
    if (option === undefined) throw new ReinError('refused', `${question.summary}: no such option.`, 'Use: rein attach')
    await this.#keys(...option.keys)
  }

  readScreen(lines: number): string {
    return this.#screen.trimEnd().split('\n').slice(-lines).join('\n')
  }

  stop(timeoutMs: number): Promise<void> {
    return endProcess(this.process, timeoutMs)
  }

  release(): void {
    this.#isReleased = true
    this.#unwatch()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  async #look(): Promise<ScreenReading> {
    const lines = await this.#parts.control.run(`capture-pane -p -t ${this.#target}`)
    this.#screen = lines.join('\n')
    return this.#parts.terminal.read(this.#screen)
  }

  async #keys(...keys: string[]): Promise<void> {
    await this.#parts.control.run(`send-keys -t ${this.#target} ${keys.join(' ')}`)
  }

  /**
   * Only into an empty composer of an idle agent: anything else could press a button. Enter is pressed when exactly this
   * text stands there, and it has worked when the text is gone.
   */
  async #type(text: string): Promise<void> {
    const isThere = (reading: ScreenReading): boolean => reading.kind === 'idle' && isSameLine(reading.draft, text)
    const before = await this.#until(({ kind }) => kind === 'idle' || kind === 'dialog')
    if (!isThere(before)) {
      if (before.kind !== 'idle' || before.draft !== '') throw new ReinError('refused', 'not_ready')
      await paste(this.#parts.socket, this.#target, text)
      await this.#until(isThere)
    }
    await pause(this.#parts.terminal.enterDelayMs)
    await this.#keys('Enter')
    await this.#until((reading) => !isThere(reading))
  }

  /** A screen is drawn a little later than its hooks are called. */
  async #until(isSo: (reading: ScreenReading) => boolean): Promise<ScreenReading> {
    for (let waited = 0; waited < showLimitMs; waited += showEveryMs) {
      const reading = await this.#look()
      if (isSo(reading)) return reading
      await pause(showEveryMs)
    }
    throw new ReinError('refused', 'not_ready')
  }

  #schedule(ms: number): void {
    if (this.#isReleased) return
    this.#timer = setTimeout(() => void this.#tick(), ms).unref()
  }

  async #tick(): Promise<void> {
    try {
      const reading = await this.#look()
      this.#report(reading)
      this.#last = reading.kind
    } catch {
      this.#last = 'unknown'
    }
    this.#schedule(this.#last === 'idle' ? untilNextIdleLook() : lookEveryMs)
  }

  /** A screen is told when it shows the same kind twice: while it is being drawn it can show anything. */
  #report(reading: ScreenReading): void {
    if (reading.kind !== this.#last || reading.kind === 'unknown' || this.#isReleased) return
    const evidence: Evidence = { source: 'screen', detail: reading.kind === 'dialog' ? reading.name : reading.kind }
    if (reading.kind === 'dialog') {
      const state = reading.asks === 'permission' ? 'awaiting_permission' : 'awaiting_answer'
      this.#on({ kind: 'state', state, evidence, question: questionOn(reading) })
      return
    }
    this.#on({ kind: 'state', state: reading.kind === 'busy' ? 'working' : 'idle', evidence, question: null })
  }

  async #ended(): Promise<void> {
    if (this.#isReleased) return
    await this.#look().catch(() => undefined)
    this.release()
    const status = await this.#exitStatus()
    releaseOrphans(this.#parts.waiters(this.#dir))
    await this.#parts.control.run(`kill-session -t ${this.#target.slice(0, -1)}`).catch(() => undefined)
    const how = status === null ? 'exit code unknown' : `exit code ${status}`
    const last = this.readScreen(6)
      .replace(/Pane is dead.*/s, '')
      .trim()
    const detail = [how, last].filter(Boolean).join(': ')
    this.#on({ kind: 'exit', code: status, signal: null, evidence: { source: 'process', detail } })
  }

  async #exitStatus(): Promise<number | null> {
    const [text = ''] = await this.#parts.control
      .run(`display-message -p -t ${this.#target} '#{pane_dead_status}'`)
      .catch(() => [''])
    return /^\d+$/.test(text) ? Number(text) : null
  }
}

/** A narrow composer breaks a line where it likes. A long paste is shown as a placeholder that says how much it is; whoever pasted it knows that the composer was empty. */
const isSameLine = (draft: string, text: string): boolean => bare(draft) === bare(text) || isPlaceholder(draft, text)

const isPlaceholder = (draft: string, text: string): boolean =>
  text.includes('\n') && /^\[Pasted (text|content)?[^\]]*\]$/i.test(draft.trim())

const questionOn = (reading: Extract<ScreenReading, { kind: 'dialog' }>): Question => ({
  id: `screen:${reading.name}`,
  kind: reading.asks,
  tool: reading.name,
  input: {},
  summary: reading.text.split('\n').slice(0, 6).join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, 300),
})

const bare = (text: string): string => text.replaceAll(/\s+/g, '')

/** A wrapped line is the same text; what a dialog asks about stands in it. */
const isAbout = (reading: Extract<ScreenReading, { kind: 'dialog' }>, { id, tool, input }: Question): boolean => {
  if (id.startsWith('screen:')) return reading.name === tool
  const subject = textOf(input['command'])?.split('\n')[0] ?? basename(textOf(input['file_path']) ?? '')
  return bare(reading.text).includes(bare(subject).slice(0, 60))
}
