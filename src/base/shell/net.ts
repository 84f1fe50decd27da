import type { Expander } from './expander.ts'
import { isStartupFile, keepsWords, mayRunWords, withoutTexts, wordsThatMayRun, writtenFor } from './guess.ts'
import type { Inner } from './inner.ts'
import { languageOf } from './interpreters.ts'
import { commandsAmong, commandsIn, forcedPush } from './mentions.ts'
import { plainly } from './plain-wrappers.ts'
import { baseName } from './programs.ts'
import type { Opaque } from './reading.ts'
import { DEEPEST_CODE, type Setting } from './setting.ts'
import type { Field, ShellState } from './state.ts'
import { type Run, writtenTo } from './written.ts'

/** What the net needs of whoever reads the line. */
interface NetPorts {
  run(words: readonly Field[], setting: Setting): void
  code(text: string, setting: Setting): void
  doubt(text: string): void
  readonly opaque: Opaque[]
}

/**
 * The net under the reader: a text that reads like a forbidden command is judged as one, unless it is known that the
 * program that gets it keeps it as a text. No list of the ways in which a text may come to be run is ever whole.
 */
export class Net {
  readonly #state: ShellState
  readonly #expander: Expander
  readonly #ports: NetPorts
  readonly #judged = new Set<string>()
  readonly #kept: { text: string; by: string; setting: Setting }[] = []
  #isOpen = false
  #isGuessing = false

  constructor(state: ShellState, expander: Expander, ports: NetPorts) {
    this.#state = state
    this.#expander = expander
    this.#ports = ports
  }

  get isGuessing(): boolean {
    return this.#isGuessing
  }

  /** What may be run by a program whose language is not read: its words, its input, files that the line has written. */
  program(run: Run, args: readonly Field[], isRead: boolean, setting: Setting): void {
    const { program } = run
    const isOwn = !isRead && mayRunWords(run)
    const words = withoutTexts(program, args)
    if (!keepsWords(run)) this.#isOpen = true
    if (isOwn) this.#words(words, program, setting)
    this.#state.work.spend(this.#state.files.size)
    const own = isOwn ? this.#textsFor(words, setting) : wordsThatMayRun(run)
    const files = [...this.#state.files].filter(([path]) => path.endsWith(`/${program}`)).map(([, file]) => file)
    if (files.some(({ isDownload }) => isDownload)) this.#ports.doubt(program)
    const named = files.map(({ text }) => text ?? '')
    for (const text of [...own, ...named, ...writtenFor(run, this.#state)]) this.judge(text, program, setting)
  }

  /** What a program may take for code: each word, all of them, its input, and what is printed for it. */
  #textsFor(args: readonly Field[], { input }: Setting): readonly string[] {
    const texts = args.map(({ text }) => text)
    return [
      ...texts,
      texts.join(' '),
      ...(input?.text == null ? (input?.mentions ?? []) : [input.text]),
      ...this.#printedFor(texts),
    ]
  }

  #printedFor(texts: readonly string[]): readonly string[] {
    return texts.flatMap((text) => (text.startsWith('<(') ? (this.#expander.printedByProcess(text) ?? []) : []))
  }

  /** Flags of an interpreter may hold code besides its own: `fish -C line`, `bash --rcfile <(…)`, `awk -v command=…`. */
  besidesCode(args: readonly Field[], inners: readonly Inner[], program: string, setting: Setting): void {
    const [inner] = inners
    if (inner === undefined || inner.kind === 'words') return this.#skipped(args, inner, program, setting)
    const own = inner.kind === 'code' ? inner.code : inner.kind === 'file' ? inner.file : undefined
    const at = own === undefined ? args.length : args.indexOf(own)
    const texts = args.slice(0, Math.max(0, at)).map(({ text }) => text)
    if (languageOf(program) === null && !program.endsWith('awk')) return
    for (const text of [...texts, ...this.#printedFor(texts)]) this.judge(text, program, setting)
    if (/^(?:zsh|fish|tcsh|csh)$/.test(program) && own !== undefined) this.judge(own.text, program, setting)
  }

  /** A word that a wrapper was thought to keep for itself may be what it runs. */
  #skipped(args: readonly Field[], inner: Inner | undefined, program: string, setting: Setting): void {
    const [first] = inner?.kind === 'words' ? inner.words : []
    const at = first === undefined ? -1 : args.indexOf(first)
    const isHarmful = at > 0 && commandsAmong(args.slice(0, at), false, this.#state.work).length > 0
    if (isHarmful && plainly(program, args) !== null) this.#words(args, program, setting)
  }

  /** A program that is not known may run what stands behind its own words. */
  #words(args: readonly Field[], program: string, setting: Setting): void {
    if (this.#isGuessing) return
    const isFetched = setting.input?.isFetched === true
    const push = forcedPush(program, args)
    for (const words of [...commandsAmong(args, isFetched, this.#state.work), ...(push === null ? [] : [push])])
      this.#try(
        program,
        isFetched ? setting : { ...setting, input: null },
        (next) => this.#ports.run(words, next),
        isFetched,
      )
  }

  /** A text that a shell evaluates some time: what is substituted in it is run then. */
  evaluated(text: string, program: string, setting: Setting): void {
    if (/\$\(|`/.test(text)) this.judge(text, program, setting)
    else this.keep(text, program, setting)
  }

  /** Whatever is written to a file that others run without being told to. */
  wrote(paths: readonly string[], text: string | null, setting: Setting): void {
    if (text === null) return
    for (const path of paths)
      if (isStartupFile(path) || writtenTo(this.#state, path)?.isFifo === true || IS_OPENED.test(path))
        this.judge(text, baseName(path), setting)
  }

  /** A text that does nothing by itself, and is judged at the end if the line runs anything that may take it up. */
  keep(text: string, by: string, setting: Setting): void {
    if (text.length < SHORTEST_COMMAND || this.#kept.length >= MOST_KEPT || this.#isGuessing) return
    this.#state.work.spend(1)
    this.#kept.push({ text, by, setting })
  }

  /** Something is run that may take up whatever the line holds. */
  open(): void {
    this.#isOpen = true
  }

  end(): void {
    for (const { text, by, setting } of this.#kept.splice(0)) if (this.#isOpen) this.judge(text, by, setting)
  }

  judge(text: string, program: string, setting: Setting): void {
    const key = `${this.#state.directory ?? ''}\0${text}`
    if (this.#judged.has(key)) return
    this.#judged.add(key)
    this.#try(program, { ...setting, input: null }, (next) => {
      for (const each of commandsIn(text, this.#state.work)) this.#ports.code(each, next)
    })
  }

  /** A guess that cannot be read is none: doubts about it are forgotten, unless what it reads comes from the network. */
  #try(program: string, setting: Setting, read: (next: Setting) => void, isDoubted = false): void {
    const { directory } = this.#state
    const { opaque } = this.#ports
    const doubts = opaque.length
    const isGuessing = this.#isGuessing
    const next = { ...setting, isDecisive: false, depth: setting.depth + 1, via: [...setting.via, program] }
    this.#isGuessing = true
    if (next.depth <= DEEPEST_CODE) read(next)
    this.#isGuessing = isGuessing
    if (!isDoubted) opaque.length = doubts
    this.#state.directory = directory
  }
}

/** `git gc` is none that rules forbid: nothing shorter than this is. */
const SHORTEST_COMMAND = 6
const MOST_KEPT = 60
/** Under a number that the line has opened, or that only the shell knows. */
const IS_OPENED = /^\/(?:dev|proc\/self)\/fd\/|^\$\{?COPROC/
