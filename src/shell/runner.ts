import type { SyntaxNode } from 'unbash'
import { applyBuiltin } from './builtins.ts'
import { effectsOf, pathOf } from './effects.ts'
import type { Expander } from './expander.ts'
import { readForeign } from './foreign.ts'
import type { Inner, Language } from './inner.ts'
import { readOptions } from './options.ts'
import { FORK_BOMB, type Opaque, type OpaqueKind } from './reading.ts'
import { both, DEEPEST_CODE, isMadeAtRunTime, MOST_COMMANDS, nameOf, type Setting, sizeOf } from './setting.ts'
import { costOf, type Field, field, setPositional, type ShellState } from './state.ts'
import { passesOn } from './success.ts'
import { wordsOf } from './words.ts'
import { innerOf } from './wrappers.ts'
import { carry, type Run, writtenTo } from './written.ts'

const MOST_RUNS = 1_000
/** What git itself starts can be started without it. */
const GIT_PROGRAM = /^git-(push|send-pack|reset|clean|checkout|restore|rm|mv|commit|config|branch|rebase|stash|tag)$/
const IS_INPUT = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/

/** Who reads lines and syntax trees that a program runs. */
export interface Walk {
  code(text: string, setting: Setting): void
  node(node: SyntaxNode, setting: Setting): void
}

/** Notes each program that is run, and looks into it for what it runs. */
export class Runner {
  readonly runs: Run[] = []
  readonly opaque: Opaque[] = []
  /** Functions that the line has called. */
  readonly called = new Set<string>()
  readonly #calling = new Set<string>()
  readonly #state: ShellState
  readonly #expander: Expander
  readonly #walk: Walk

  constructor(state: ShellState, expander: Expander, walk: Walk) {
    this.#state = state
    this.#expander = expander
    this.#walk = walk
  }

  doubt(kind: OpaqueKind, text: string): void {
    this.#state.work.spend(this.opaque.length + text.length)
    if (!this.opaque.some((each) => each.kind === kind && each.text === text)) this.opaque.push({ kind, text })
  }

  /** What those from `from` to `until` print goes to all that came after them. */
  pipe(from: number, until: number): void {
    const names = this.runs.slice(until).map(({ program }) => program)
    this.#state.work.spend((until - from) * names.length)
    for (const run of this.runs.slice(from, until)) run.pipesTo.push(...names)
  }

  /** One program with its words, and all that it runs. */
  run(fields: readonly Field[], setting: Setting): void {
    this.#state.work.spend(costOf(fields) + sizeOf(setting.around) + setting.via.length)
    const [first, ...args] = fields
    if (this.runs.length > MOST_RUNS) return this.doubt('too many', '')
    if (first === undefined) return this.#bare(setting)
    const program = nameOf(first)
    if (program === null) return this.#dynamic(first, args, setting)
    const verb = GIT_PROGRAM.exec(program)?.[1]
    if (verb !== undefined) return this.run([field('git'), field(verb), ...args], setting)
    if (!this.#isDefined(program, args, setting)) this.#program(first, program, args, setting)
  }

  #program(first: Field, program: string, args: readonly Field[], setting: Setting): void {
    const inners = innerOf(program, args, setting.input?.text ?? null, this.#state.work)
    if (inners.length > MOST_RUNS) return this.doubt('too many', '')
    const run = this.#add(program, args, setting, inners)
    applyBuiltin(this.#state, program, args, setting.input?.text ?? null, setting.isCertain)
    carry(this.#state, run, setting.input)
    if (first.text.includes('/')) this.#file(first, 'shell', args, program, setting)
    for (const inner of inners) this.#inner(inner, program, setting)
  }

  /** Redirections without a program. */
  #bare(setting: Setting): void {
    if (setting.around.reads.length + setting.around.writes.length > 0) this.#add('', [], setting)
  }

  #dynamic(first: Field, args: readonly Field[], setting: Setting): void {
    this.#add(first.text, args, setting)
    this.doubt('dynamic program', [first, ...args].map(({ text }) => text).join(' '))
  }

  /** Functions and aliases are found by the shell alone, not by the programs that it runs. */
  #isDefined(program: string, args: readonly Field[], setting: Setting): boolean {
    if (setting.isOutsideShell) return false
    const defined = this.#state.functions.get(program)
    if (defined !== undefined) {
      const before = this.#state.positional
      setPositional(this.#state, args)
      this.called.add(program)
      this.call(program, defined.body, setting)
      this.#state.positional = before
      return true
    }
    const alias = this.#state.aliases.get(program)
    if (alias === undefined || setting.depth > DEEPEST_CODE) return false
    const words = wordsOf(this.#state.work, alias).flatMap((word) => this.#expander.words.read(word)[0] ?? [])
    const next = { ...setting, depth: setting.depth + 1, via: [...setting.via, program] }
    if (words[0]?.text === program) return false
    this.run([...words, ...args], next)
    return true
  }

  call(name: string, body: SyntaxNode, setting: Setting): void {
    if (this.#calling.has(name)) {
      if (setting.isParallel) this.#add(FORK_BOMB, [], setting)
      return
    }
    this.#state.work.spend(setting.via.length)
    this.#calling.add(name)
    this.#walk.node(body, { ...setting, isParallel: false, via: [...setting.via, name] })
    this.#calling.delete(name)
  }

  #add(program: string, args: readonly Field[], setting: Setting, inners: readonly Inner[] = []): Run {
    const own = ownWords(args, inners)
    const options = readOptions(program, own)
    const effects = both(effectsOf(program, options, own, this.#state), setting.around)
    const run = {
      program,
      args: args.map(({ text }) => text),
      subcommand: options.subcommand,
      flags: options.flags,
      operands: options.operands.map(({ text }) => text),
      ...effects,
      pipesTo: [],
      via: setting.via,
      isDecisive: setting.isDecisive,
      span: setting.span ?? { start: 0, end: 0 },
    }
    this.runs.push(run)
    return run
  }

  #inner(inner: Inner, program: string, setting: Setting): void {
    const isDecisive = setting.isDecisive && passesOn(program, inner)
    const next = { ...setting, isDecisive, depth: setting.depth + 1, via: [...setting.via, program] }
    if (next.depth > DEEPEST_CODE) return this.doubt('too deep', program)
    switch (inner.kind) {
      case 'words':
        return this.#moved(inner.directory, () => this.run(inner.words, { ...next, isOutsideShell: true }))
      case 'code':
        return this.#given(inner.language, inner.code, inner.args, {
          ...next,
          input: inner.language === 'shell' ? next.input : null,
        })
      case 'file':
        return this.#file(inner.file, inner.language, inner.args, program, next)
      case 'input':
        return this.#fromInput(inner.language, program, next)
    }
  }

  #moved(directory: Field | undefined, read: () => void): void {
    const before = this.#state.directory
    if (directory !== undefined) this.#state.directory = pathOf(directory, this.#state)
    read()
    if (directory !== undefined) this.#state.directory = before
  }

  #given(language: Language, code: Field, args: readonly Field[], setting: Setting): void {
    if (language === 'shell' && isMadeAtRunTime(code)) {
      this.doubt('dynamic code', code.text)
      if (!/[;&|\n]/.test(code.text)) return
    }
    const before = this.#state.positional
    if (setting.via.at(-1) !== 'eval' && setting.via.at(-1) !== 'trap') setPositional(this.#state, args)
    this.#interpret(language, code.text, setting)
    this.#state.positional = before
  }

  #interpret(language: Language, code: string, setting: Setting): void {
    if (language === 'shell') return this.#walk.code(code, setting)
    const { lines, calls, reads, writes, deletes, isOpen, isMade } = readForeign(language, code, this.#state.work)
    const paths = (texts: readonly string[]): (string | null)[] => texts.map((text) => pathOf(field(text), this.#state))
    const effects = { reads: paths(reads), writes: paths(writes), deletes: paths(deletes), trees: [], resets: [] }
    if (reads.length + writes.length + deletes.length > 0)
      this.#add(setting.via.at(-1) ?? language, [], { ...setting, around: effects })
    if (lines.length + calls.length > MOST_COMMANDS) return this.doubt('too many', '')
    for (const line of lines) this.#walk.code(line, { ...setting, depth: setting.depth + 1 })
    for (const call of calls) this.run(call.map(field), { ...setting, depth: setting.depth + 1 })
    if (isOpen) this.doubt('foreign code', code)
    if (isMade) this.doubt('dynamic code', code)
  }

  /** A file that the line itself has written is read as far as it is known. */
  #file(file: Field, language: Language, args: readonly Field[], program: string, setting: Setting): void {
    if (file.text.startsWith('<(')) {
      const text = this.#expander.printedByProcess(file.text)
      return text === null ? this.doubt('dynamic code', file.text) : this.#interpret(language, text, setting)
    }
    if (IS_INPUT.test(file.text)) return this.#fromInput(language, program, setting)
    const path = pathOf(file, this.#state)
    const written = writtenTo(this.#state, path)
    if (written === undefined) return
    if (written.text !== null)
      this.#given(language, { ...field(written.text) }, args, { ...setting, depth: setting.depth + 1 })
    else if (written.isDownload) this.doubt('dynamic code', file.text)
    for (const writer of written.writers) writer.pipesTo.push(file.text.endsWith(program) ? 'sh' : program)
  }

  #fromInput(language: Language, program: string, setting: Setting): void {
    const { input } = setting
    if (input === null) return
    if (input.text !== null) return this.#interpret(language, input.text, { ...setting, input: null })
    if (!input.isFile) this.doubt('dynamic code', `… | ${program}`)
  }
}

/** The flags of what a wrapper runs are not its own. */
function ownWords(args: readonly Field[], inners: readonly Inner[]): readonly Field[] {
  const [inner] = inners
  if (inner?.kind !== 'words' || inner.words[0] === undefined) return args
  const at = args.indexOf(inner.words[0])
  return at < 0 || at + inner.words.length < args.length ? args : args.slice(0, at)
}
