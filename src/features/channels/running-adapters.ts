import { type ChildProcess, spawn } from 'node:child_process'
import type { AdapterView } from '../../contract/routes/channels.ts'
import type { AdapterEntry } from '../../contract/channel.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import { after } from '../../base/util/timer.ts'
import type { Environments } from '../../agents/launch/environments.ts'

interface AdapterPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  load(): AdapterEntry[]
  /** Kept for when it has to be started again. */
  environment: Environments
  /** The script that runs one adapter. */
  script: string
  longestWaitMs: number
  now: () => number
  newId(prefix: string): string
  onSaid(name: string, line: string): void
  onEnded(name: string, reason: string): void
}

interface Running {
  entry: AdapterEntry
  state: AdapterView['state']
  child: ChildProcess | null
  since: number
  restarts: number
  /** Ends of the last words that it said on standard error. */
  said: string
  /** A line there whose end has not come. */
  begun: string
  cancel: () => void
}

/** By it an adapter says that it could not understand its configuration: then another try is no better. */
const badConfig = 2
const firstWaitMs = 1_000
const healthyMs = 3_600_000
const keptWords = 2_000
/** Longer lines are cut: an endless line must not fill the memory. */
const longestLine = 8_192
const stopMs = 5_000
/** How long a start is waited for. */
const settleMs = 10_000

/** The adapters that the user wants to run: started again when they end, and by the next daemon. */
export class Adapters {
  readonly #ports: AdapterPorts
  readonly #running = new Map<string, Running>()
  #isClosed = false

  constructor(ports: AdapterPorts) {
    this.#ports = ports
  }

  start(): void {
    for (const entry of this.#ports.load()) this.#launch(entry, 0)
  }

  get all(): AdapterView[] {
    return [...this.#running.values()].map(viewOf)
  }

  /** One of that name that runs already is replaced. */
  async run(entry: AdapterEntry, env: Record<string, string>, actor: Actor): Promise<AdapterView> {
    await this.#write('adapter.set', { adapter: entry }, actor)
    this.#ports.environment.keep(environmentOf(entry.name), env)
    while (this.#running.has(entry.name)) await this.#end(entry.name)
    const running = this.#launch(entry, 0)
    // Waits until it works or has ended, so that the command that started it can show the error.
    await new Promise<void>((resolve) => {
      const enough = after(settleMs, resolve)
      const done = (): void => {
        enough()
        setImmediate(resolve)
      }
      if (running.child === null) return done()
      running.child.stdout?.once('data', done)
      running.child.once('close', done)
    })
    if (this.#running.get(entry.name) !== running)
      throw new ReinError('refused', `${entry.name} was replaced or stopped meanwhile.`)
    return viewOf(running)
  }

  async stop(name: string, actor: Actor): Promise<AdapterView[]> {
    if (!this.#running.has(name))
      throw new ReinError('not_found', `There is no adapter ${name}.`, 'List them: rein adapter list')
    await this.#write('adapter.removed', { name }, actor)
    this.#ports.environment.forget(environmentOf(name))
    await this.#end(name)
    return this.all
  }

  /** They are started again by the next daemon. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)))
  }

  #launch(entry: AdapterEntry, restarts: number): Running {
    const running: Running = {
      entry,
      state: 'starting',
      child: null,
      since: this.#ports.now(),
      restarts,
      said: '',
      begun: '',
      cancel: () => undefined,
    }
    this.#running.set(entry.name, running)
    try {
      this.#spawn(running)
    } catch (cause) {
      running.said = asReinError(cause).message
      this.#ended(running, null)
    }
    return running
  }

  #spawn(running: Running): void {
    const { kind, config, name } = running.entry
    const { script, environment } = this.#ports
    const env = environment.of(environmentOf(name))
    const child: ChildProcess = spawn(process.execPath, [script, kind, config], { env, stdio: 'pipe' })
    running.child = child
    child.once('error', (cause) => (running.said = cause.message))
    child.once('close', (code) => {
      if (running.begun !== '') this.#heard(running, '\n')
      this.#ended(running, code)
    })
    // Where there was no room for a process there are no pipes either.
    child.stdin?.on('error', () => undefined)
    child.stdout?.resume().once('data', () => (running.state = 'running'))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#heard(running, text))
  }

  #heard(running: Running, text: string): void {
    const lines = `${running.begun}${text}`.split('\n').map((line) => line.slice(0, longestLine))
    running.begun = lines.pop() ?? ''
    for (const line of lines) {
      running.said = `${running.said}\n${line}`.slice(-keptWords)
      this.#ports.onSaid(running.entry.name, line)
    }
  }

  #ended(running: Running, code: number | null): void {
    const { entry, since, said } = running
    running.child = null
    if (this.#isClosed || this.#running.get(entry.name) !== running) return
    this.#ports.onEnded(entry.name, said.trim().split('\n').at(-1) || `ended with code ${code}`)
    running.state = code === badConfig ? 'failed' : 'waiting'
    if (running.state === 'failed') return
    const restarts = this.#ports.now() - since > healthyMs ? 0 : running.restarts + 1
    const wait = Math.min(firstWaitMs * 2 ** Math.max(0, restarts - 1), this.#ports.longestWaitMs)
    running.cancel = after(wait, () => this.#launch(entry, restarts))
  }

  async #end(name: string): Promise<void> {
    const running = this.#running.get(name)
    this.#running.delete(name)
    running?.cancel()
    const child = running?.child ?? null
    if (child === null) return
    const gone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    const insist = after(stopMs, () => child.kill('SIGKILL'))
    await gone
    insist()
  }

  #write<T extends 'adapter.set' | 'adapter.removed'>(type: T, body: RecordBody<T>, actor: Actor): Promise<number[]> {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent: null, project: null }
    return this.#ports.append([newRecord(type, body, context) as AnyNewRecord])
  }
}

const environmentOf = (name: string): string => `adapter-${name}`

const viewOf = ({ entry, state, child, since, restarts, said }: Running): AdapterView => ({
  ...entry,
  state,
  pid: child?.pid ?? null,
  since,
  restarts,
  error: state === 'running' ? null : said.trim() || null,
})
