import { SerializeAddon } from '@xterm/addon-serialize'
import { Terminal } from '@xterm/headless'
import { type IPty, spawn } from '@lydell/node-pty'
import type { KeptPlan, Size } from '../../contract/keeper.ts'
import { keyBytes } from './keys.ts'
import { rememberModes } from './modes.ts'
import { isReport } from './reports.ts'
import { unfinished } from './unfinished.ts'

/** A client that shows the terminal and types into it. */
export interface Viewer {
  readonly size: Size
  show(bytes: Buffer): void
  ended(code: number): void
}

const scrollback = 500
/** Bytes that the program wrote and the screen has not read yet; more makes it wait. */
const maxUnread = 1024 * 1024
const clear = '\u001b[H\u001b[2J'
/** Gives up the sequence that a view is in the middle of, and whatever was set. */
const reset = '\u0018\u001bc'

/** One program in a terminal of its own, and a picture of what it shows. */
export class KeptTerminal {
  readonly #pty: IPty
  readonly #screen: Terminal
  readonly #serializer = new SerializeAddon()
  readonly #modes: () => string
  readonly #onChange: () => void
  /** The viewer that was active last comes last: the terminal has its size. */
  #viewers: Viewer[] = []
  /** What came since a view was asked for and is not on the picture that it gets. */
  readonly #waiting = new Map<Viewer, Buffer[]>()
  #unfinished: Buffer = Buffer.alloc(0)
  #unread = 0
  #typedAt: number | null = null
  readonly #typists = new Set<Viewer>()
  /** Null while the program runs. */
  code: number | null = null

  constructor(plan: KeptPlan, size: Size, onChange: () => void, onEnd: (code: number) => void) {
    const { command, args, env, cwd } = plan
    const [cols, rows] = [size.columns, size.rows]
    this.#onChange = onChange
    this.#screen = new Terminal({ cols, rows, scrollback, allowProposedApi: true })
    this.#screen.loadAddon(this.#serializer)
    this.#modes = rememberModes(this.#screen)
    this.#pty = spawn(command, args, { name: 'xterm-256color', cols, rows, cwd, env, encoding: null })
    this.#pty.onData((data) => {
      const bytes = data as unknown as Buffer

      for (const viewer of this.#viewers) {
        const waiting = this.#waiting.get(viewer)
        if (waiting === undefined) viewer.show(bytes)
        else waiting.push(bytes)
      }
      this.#unfinished = unfinished(Buffer.concat([this.#unfinished, bytes]))
      this.#unread += bytes.length
      if (this.#unread > maxUnread) this.#pty.pause()
      this.#screen.write(bytes, () => {
        if (this.#unread > maxUnread && this.#unread - bytes.length <= maxUnread) this.#pty.resume()
        this.#unread -= bytes.length
      })
      this.#onChange()
    })
    this.#pty.onExit(({ exitCode, signal }) => {
      this.code = signal ? 128 + signal : exitCode
      for (const viewer of this.#viewers) if (!this.#waiting.has(viewer)) viewer.ended(this.code)
      onEnd(this.code)
    })
    // Without a view, only this answers the program's questions to its terminal.
    this.#screen.onData((text) => void (this.#viewers.length === 0 && this.#write(text)))
  }

  get pid(): number {
    return this.#pty.pid
  }

  get typedMsAgo(): number | null {
    return this.#typedAt === null ? null : performance.now() - this.#typedAt
  }

  async read(): Promise<string> {
    // All that was written so far is on the picture then.
    await new Promise<void>((resolve) => this.#screen.write('', resolve))
    const { active } = this.#screen.buffer
    const line = (row: number): string => active.getLine(active.baseY + row)?.translateToString(true) ?? ''
    return Array.from({ length: this.#screen.rows }, (_, row) => line(row)).join('\n')
  }

  press(keys: readonly string[]): void {
    const { applicationCursorKeysMode } = this.#screen.modes
    this.#write(keys.map((key) => keyBytes(key, applicationCursorKeysMode)).join(''))
  }

  /** As a terminal pastes. Where the program cannot tell a paste from keys, a line break would be an Enter. */
  paste(text: string): void {
    const { bracketedPasteMode } = this.#screen.modes
    if (!bracketedPasteMode && text.includes('\n')) throw new Error('not_ready')
    const lines = text.replaceAll('\n', '\r')
    this.#write(bracketedPasteMode ? `\u001b[200~${lines}\u001b[201~` : lines)
  }

  attach(viewer: Viewer): void {
    this.#viewers.push(viewer)
    this.#resize(viewer.size)
    this.#show(viewer, clear)
  }

  /** For one who has missed something. */
  showAgain(viewer: Viewer): void {
    if (this.#viewers.includes(viewer)) this.#show(viewer, reset)
  }

  /** Leaving counts as the last key of a viewer that has typed; one that only looked changes nothing. */
  detach(viewer: Viewer): void {
    if (this.#typists.delete(viewer)) this.#typedAt = performance.now()
    this.#viewers = this.#viewers.filter((one) => one !== viewer)
    this.#waiting.delete(viewer)
    const last = this.#viewers.at(-1)
    if (last !== undefined) this.#resize(last.size)
  }

  /** Of several terminals that answer the program, only the last active one is heard. */
  type(viewer: Viewer, bytes: Buffer): void {
    const isSaidByItself = isReport(bytes)
    if (isSaidByItself && viewer !== this.#viewers.at(-1)) return
    if (!isSaidByItself) {
      this.activate(viewer)
      this.#typists.add(viewer)
      this.#typedAt = performance.now()
    }
    this.#write(bytes)
  }

  /** This viewer is at it now, and its size is the one that counts. */
  activate(viewer: Viewer): void {
    if (viewer !== this.#viewers.at(-1)) this.#viewers = [...this.#viewers.filter((one) => one !== viewer), viewer]
    this.#resize(viewer.size)
  }

  signal(name: 'SIGHUP' | 'SIGKILL'): void {
    if (this.code === null) this.#pty.kill(name)
  }

  #show(viewer: Viewer, before: string): void {
    const waiting: Buffer[] = [this.#unfinished]
    this.#waiting.set(viewer, waiting)
    // Not a moment later: what comes next is on the picture, too, then.
    this.#screen.write('', () => {
      if (this.#waiting.get(viewer) === waiting) {
        const picture = Buffer.from(before + this.#serializer.serialize({ scrollback }) + this.#modes())
        this.#waiting.delete(viewer)
        viewer.show(Buffer.concat([picture, ...waiting]))
        if (this.code !== null) viewer.ended(this.code)
      }
    })
  }

  #write(data: string | Buffer): void {
    // It takes bytes as well, which need not be UTF-8; its types do not say so.
    if (this.code === null) this.#pty.write(data as string)
  }

  #resize({ columns, rows }: Size): void {
    if (this.code !== null || (columns === this.#screen.cols && rows === this.#screen.rows)) return
    this.#screen.resize(columns, rows)
    try {
      this.#pty.resize(columns, rows)
    } catch {
      // The program has ended, and that it has comes next.
    }
  }
}
