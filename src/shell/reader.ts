import {
  type Assignment,
  type Command,
  type CommandExpansionPart,
  type For,
  forEachChild,
  type HereDoc,
  type ParsedScript,
  parse,
  type Pipeline,
  type ProcessSubstitutionPart,
  type Redirection,
  type Select,
  type Statement,
  type SyntaxNode,
} from 'unbash'
import { applyBuiltin } from './builtins.ts'
import { type Effects, effectsOf, NO_EFFECTS, pathOf } from './effects.ts'
import { readForeign } from './foreign.ts'
import type { Inner, Language } from './inner.ts'
import { readOptions } from './options.ts'
import { printedBy } from './printed.ts'
import { FORK_BOMB, type Opaque, type OpaqueKind, type ReadingContext, type RunProgram } from './reading.ts'
import { both, type Input, isMadeAtRunTime, nameOf, OUTERMOST, type Setting } from './setting.ts'
import { assign, type Field, field, newState, type ShellState } from './state.ts'
import { WordReader, wordsOf } from './words.ts'
import { innerOf } from './wrappers.ts'

const MOST_COMMANDS = 200
const MOST_RUNS = 1_000
/** Lines within lines: `bash -c "bash -c '…'"`. */
const DEEPEST_CODE = 8
const MOST_READINGS = 16

interface MutableRun extends RunProgram {
  readonly pipesTo: string[]
}

const BRANCHES = new Set(['If', 'Elif', 'While', 'For', 'ArithmeticFor', 'Select', 'Case', 'CaseItem'])
/** Variables that hold a line of shell for the program that is started with them. */
const HOLDS_CODE =
  /^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_(?:SEQUENCE_)?EDITOR|GIT_PAGER|GIT_EXTERNAL_DIFF|EDITOR|VISUAL|PAGER|LESSOPEN|PROMPT_COMMAND)$/
const IS_NO_FILE = /^\/dev\/(?:null|std(?:in|out|err)|tty|fd\/\d+)$/
/** Reads the syntax tree of a line, and of each line within it. */
export class Reader {
  readonly runs: MutableRun[] = []
  readonly opaque: Opaque[] = []
  readonly #state: ShellState
  readonly #words: WordReader
  readonly #calling = new Set<string>()
  readonly #called = new Set<string>()
  #commands = 0

  constructor({ cwd, home }: ReadingContext) {
    this.#state = newState(cwd, home)
    this.#words = new WordReader(this.#state, (part) => this.#printedBySubstitution(part))
  }

  read(text: string): void {
    this.#code(text, OUTERMOST)
    for (const [name, { body }] of this.#state.functions) {
      if (this.#called.has(name)) continue
      this.#state.positional = null
      this.#call(name, body, { ...OUTERMOST, isCertain: false })
    }
  }

  #code(text: string, setting: Setting): void {
    if (setting.depth > DEEPEST_CODE) this.#doubt('too deep', text)
    else this.#script(parse(text), text, setting)
  }

  #script(script: ParsedScript | undefined, text: string, setting: Setting): void {
    if (script === undefined || (script.errors?.length ?? 0) > 0) this.#doubt('unparsable', text)
    for (const statement of script?.commands ?? []) this.#node(statement, setting)
  }

  #doubt(kind: OpaqueKind, text: string): void {
    if (!this.opaque.some((each) => each.kind === kind && each.text === text)) this.opaque.push({ kind, text })
  }

  #node(node: SyntaxNode, setting: Setting): void {
    switch (node.type) {
      case 'Command':
        return this.#command(node, setting)
      case 'Statement':
        return this.#node(node.command, node.background === true ? { ...setting, isParallel: true } : setting)
      case 'Pipeline':
        return this.#pipeline(node, setting)
      case 'AndOr':
        for (const [index, each] of node.commands.entries())
          this.#node(
            each,
            index === 0 || node.operators[index - 1] === '&&' ? setting : { ...setting, isCertain: false },
          )
        return
      case 'Function':
        this.#state.functions.set(node.name.value, node)
        return
      case 'Redirected':
        return this.#redirected(node.command, node.redirects, setting)
      case 'Subshell':
        return this.#apart(() => this.#children(node, setting))
      case 'For':
      case 'Select':
        this.#loop(node)
        return this.#children(node, { ...setting, isCertain: false })
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion': {
        const { script, text, pos, end } = node
        const span = setting.span ?? (script?.source === undefined ? null : { start: pos, end })
        return this.#apart(() => this.#script(script, text, { ...setting, span, input: null }))
      }
      default:
        return this.#children(node, BRANCHES.has(node.type) ? { ...setting, isCertain: false } : setting)
    }
  }

  #children(node: SyntaxNode, setting: Setting): void {
    forEachChild(node, (child) => this.#node(child, setting))
  }

  /** What a subshell does to its directory ends with it. */
  #apart(read: () => void): void {
    const { directory } = this.#state
    read()
    this.#state.directory = directory
  }

  #loop({ name, wordlist }: For | Select): void {
    const fields = wordlist?.flatMap((word) => this.#words.read(word).flat()) ?? this.#state.positional ?? []
    const isKnown = fields.every((each) => each.isKnown && !each.isPattern)
    assign(this.#state, name.value, isKnown ? fields.map(({ text }) => text) : null, false)
  }

  #pipeline({ commands }: Pipeline, setting: Setting): void {
    let { input } = setting
    const start = this.runs.length
    const isParallel = setting.isParallel || commands.length > 1
    for (const command of commands) {
      const from = this.runs.length
      this.#apart(() => this.#node(command, { ...setting, input, isParallel }))
      const names = this.runs.slice(from).map(({ program }) => program)
      for (const run of this.runs.slice(start, from)) run.pipesTo.push(...names)
      input = { text: this.#printed(command, input), isFile: false }
    }
  }

  #redirected(node: SyntaxNode, redirects: readonly Redirection[], setting: Setting): void {
    const { effects, input } = this.#redirections(redirects, setting)
    const from = this.runs.length
    this.#node(node, { ...setting, input: input ?? setting.input, around: both(setting.around, effects) })
    this.#remember(effects.writes, null, this.runs.slice(from))
  }

  /** Which files redirections touch, and what they give to standard input. */
  #redirections(
    redirects: readonly Redirection[],
    setting: Setting,
  ): { effects: Effects; input: Input | null; isAppending: boolean } {
    const reads: (string | null)[] = []
    const writes: (string | null)[] = []
    let input: Input | null = null
    let isAppending = false
    for (const redirect of redirects) {
      this.#children(redirect, setting)
      if (redirect.type === 'HereDoc') input = { text: this.#document(redirect), isFile: false }
      else if (redirect.type === 'HereString') input = { text: this.#textOf(redirect), isFile: false }
      else if (redirect.target !== undefined && !/^(?:\d+|-)$/.test(redirect.target.text)) {
        const [target = field('')] = this.#words.texts(redirect.target)
        const path = pathOf(target, this.#state)
        if (redirect.operator.startsWith('<')) input = this.#fileInput(target, path)
        if (path !== null && IS_NO_FILE.test(path)) continue
        if (redirect.operator.includes('<')) reads.push(path)
        if (redirect.operator.includes('>')) writes.push(path)
        isAppending ||= redirect.operator.includes('>>')
      }
    }
    return { effects: { ...NO_EFFECTS, reads, writes }, input, isAppending }
  }

  #document({ body, delimiter }: HereDoc): string {
    return delimiter?.quoted === true || body.parts === undefined ? body.text : this.#words.document(body.parts).text
  }

  /** What is all made at run time is no text; what is partly so is read as it is written. */
  #textOf({ target }: { readonly target: Parameters<WordReader['texts']>[0] | undefined }): string | null {
    const [given] = target === undefined ? [] : this.#words.texts(target)
    return given === undefined || isMadeAtRunTime(given) ? null : given.text
  }

  #fileInput(target: Field, path: string | null): Input {
    if (/^<\(/.test(target.text)) return { text: this.#printedByProcess(target.text), isFile: false }
    return { text: (path === null ? undefined : this.#state.files.get(path)?.text) ?? null, isFile: true }
  }

  #command(node: Command, setting: Setting): void {
    if (++this.#commands > MOST_COMMANDS || this.runs.length > MOST_RUNS) return this.#doubt('too many', '')
    const own = { ...setting, span: setting.span ?? { start: node.pos, end: node.end } }
    const from = this.runs.length
    this.#substitutions(node, own)
    for (const part of node.prefix) if (part.type === 'Assignment') this.#assignment(part, own, node.name === undefined)
    const { effects, input, isAppending } = this.#redirections(node.redirects, own)
    const until = this.runs.length
    const inner = { ...own, input: input ?? own.input, around: both(own.around, effects) }
    const doubts = this.opaque.length
    for (const fields of this.#fields(node)) this.#run(fields, inner)
    if (this.opaque.slice(doubts).some(({ kind }) => kind === 'dynamic code'))
      for (const run of this.runs.slice(from, until))
        run.pipesTo.push(...this.runs.slice(until).map(({ program }) => program))
    if (effects.writes.length > 0)
      this.#remember(effects.writes, this.#printed(node, inner.input), this.runs.slice(until), isAppending)
  }

  /** Substitutions in words are run before the command. */
  #substitutions(node: Command, setting: Setting): void {
    for (const word of [node.name, ...node.args]) if (word !== undefined) this.#within(word, setting)
    for (const part of node.prefix) if (part.type === 'Assignment') this.#within(part, setting)
  }

  #within(node: SyntaxNode, setting: Setting): void {
    if (node.type === 'Word' && node.parts === undefined) return
    this.#children(node, { ...setting, span: setting.depth === 0 ? null : setting.span })
  }

  #assignment(part: Assignment, setting: Setting, isForGood: boolean): void {
    const { name, value, append } = part
    if (value.type === 'ArrayValue') {
      const elements = value.elements.flatMap((word) => this.#words.read(word)[0] ?? [])
      this.#state.arrays.set(name, append === true ? [...(this.#state.arrays.get(name) ?? []), ...elements] : elements)
      return assign(this.#state, name, elements[0]?.isKnown === true ? [elements[0].text] : null, setting.isCertain)
    }
    const texts = this.#words.texts(value)
    if (HOLDS_CODE.test(name))
      for (const each of texts)
        this.#code(each.text, { ...setting, depth: setting.depth + 1, via: [...setting.via, name] })
    const before = append === true ? (this.#state.variables.get(name) ?? ['']) : ['']
    const values = texts.every(({ isKnown }) => isKnown)
      ? before.flatMap((old) => texts.map(({ text }) => old + text))
      : null
    assign(this.#state, name, values, setting.isCertain && isForGood)
  }

  /** All that the words of a command may become. */
  #fields(node: Command): readonly (readonly Field[])[] {
    if (node.name === undefined) return [[]]
    let all: readonly (readonly Field[])[] = this.#words.read(node.name)
    for (const arg of node.args) {
      const readings = arg.type === 'Word' ? this.#words.read(arg) : [[this.#assigned(arg)]]
      const next = all.flatMap((before) => readings.map((fields) => [...before, ...fields]))
      all =
        next.length > MOST_READINGS
          ? all.map((before) => [...before, { text: arg.text, isKnown: false, isPattern: false }])
          : next
    }
    return all
  }

  #assigned({ name, value, text }: Assignment): Field {
    const [given] = value.type === 'ArrayValue' ? [] : this.#words.texts(value)
    return given === undefined
      ? { text, isKnown: false, isPattern: false }
      : { ...given, text: `${name}=${given.text}` }
  }

  /** One program with its words, and all that it runs. */
  #run(fields: readonly Field[], setting: Setting): void {
    const [first, ...args] = fields
    if (first === undefined) return this.#bare(setting)
    const program = nameOf(first)
    if (program === null) return this.#dynamic(first, args, setting)
    if (this.#isDefined(program, args, setting)) return
    const inners = innerOf(program, args, setting.input?.text ?? null)
    const run = this.#add(program, args, setting, inners)
    applyBuiltin(this.#state, program, args, setting.input?.text ?? null, setting.isCertain)
    if (/^(?:curl|wget|tee)$/.test(program))
      this.#remember(run.writes, program === 'tee' ? (setting.input?.text ?? null) : null, [run])
    if (first.text.includes('/')) this.#file(first, 'shell', args, program, setting)
    for (const inner of inners) this.#inner(inner, program, setting)
  }

  /** Redirections without a program. */
  #bare(setting: Setting): void {
    if (setting.around.reads.length + setting.around.writes.length > 0) this.#add('', [], setting)
  }

  #dynamic(first: Field, args: readonly Field[], setting: Setting): void {
    this.#add(first.text, args, setting)
    this.#doubt('dynamic program', [first, ...args].map(({ text }) => text).join(' '))
  }

  #isDefined(program: string, args: readonly Field[], setting: Setting): boolean {
    const defined = this.#state.functions.get(program)
    if (defined !== undefined) {
      const before = this.#state.positional
      this.#state.positional = args
      this.#called.add(program)
      this.#call(program, defined.body, setting)
      this.#state.positional = before
      return true
    }
    const alias = this.#state.aliases.get(program)
    if (alias === undefined || setting.depth > DEEPEST_CODE) return false
    const words = wordsOf(alias).flatMap((word) => this.#words.read(word)[0] ?? [])
    const next = { ...setting, depth: setting.depth + 1, via: [...setting.via, program] }
    if (words[0]?.text === program) return false
    this.#run([...words, ...args], next)
    return true
  }

  #call(name: string, body: SyntaxNode, setting: Setting): void {
    if (this.#calling.has(name)) {
      if (setting.isParallel) this.#add(FORK_BOMB, [], setting)
      return
    }
    this.#calling.add(name)
    this.#node(body, { ...setting, isParallel: false, via: [...setting.via, name] })
    this.#calling.delete(name)
  }

  #add(program: string, args: readonly Field[], setting: Setting, inners: readonly Inner[] = []): MutableRun {
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
      span: setting.span ?? { start: 0, end: 0 },
    }
    this.runs.push(run)
    return run
  }

  #inner(inner: Inner, program: string, setting: Setting): void {
    const next = { ...setting, depth: setting.depth + 1, via: [...setting.via, program] }
    if (next.depth > DEEPEST_CODE) return this.#doubt('too deep', program)
    switch (inner.kind) {
      case 'words':
        return this.#moved(inner.directory, () => this.#run(inner.words, next))
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
    if (language === 'shell' && isMadeAtRunTime(code)) return this.#doubt('dynamic code', code.text)
    const before = this.#state.positional
    if (setting.via.at(-1) !== 'eval' && setting.via.at(-1) !== 'trap') this.#state.positional = args
    this.#interpret(language, code.text, setting)
    this.#state.positional = before
  }

  #interpret(language: Language, code: string, setting: Setting): void {
    if (language === 'shell') return this.#code(code, setting)
    const { lines, calls, reads, writes, deletes, isOpen, isMade } = readForeign(language, code)
    const paths = (texts: readonly string[]): (string | null)[] => texts.map((text) => pathOf(field(text), this.#state))
    const effects = { reads: paths(reads), writes: paths(writes), deletes: paths(deletes) }
    if (reads.length + writes.length + deletes.length > 0)
      this.#add(setting.via.at(-1) ?? language, [], { ...setting, around: effects })
    for (const line of lines) this.#code(line, { ...setting, depth: setting.depth + 1 })
    for (const call of calls) this.#run(call.map(field), { ...setting, depth: setting.depth + 1 })
    if (isOpen) this.#doubt('foreign code', code)
    if (isMade) this.#doubt('dynamic code', code)
  }

  /** A file that the line itself has written is read as far as it is known. */
  #file(file: Field, language: Language, args: readonly Field[], program: string, setting: Setting): void {
    if (/^<\(/.test(file.text)) {
      const text = this.#printedByProcess(file.text)
      return text === null ? this.#doubt('dynamic code', file.text) : this.#interpret(language, text, setting)
    }
    const path = pathOf(file, this.#state)
    const written = path === null ? undefined : this.#state.files.get(path)
    if (written === undefined) return
    if (written.text !== null)
      this.#given(language, { ...field(written.text) }, args, { ...setting, depth: setting.depth + 1 })
    for (const writer of written.writers) writer.pipesTo.push(file.text.endsWith(program) ? 'sh' : program)
  }

  #fromInput(language: Language, program: string, setting: Setting): void {
    const { input } = setting
    if (input === null) return
    if (input.text !== null) return this.#interpret(language, input.text, { ...setting, input: null })
    if (!input.isFile) this.#doubt('dynamic code', `… | ${program}`)
  }

  #remember(
    paths: readonly (string | null)[],
    text: string | null,
    writers: readonly MutableRun[],
    isAppending = false,
  ): void {
    for (const path of paths) {
      if (path === null) continue
      const before = isAppending ? this.#state.files.get(path) : undefined
      const whole = before === undefined || text === null || before.text === null ? text : `${before.text}\n${text}`
      this.#state.files.set(path, { text: whole, writers: [...(before?.writers ?? []), ...writers] })
    }
  }

  /** What a command prints, where that can be told. */
  #printed(node: SyntaxNode, input: Input | null): string | null {
    if (node.type === 'Statement') return this.#printed(node.command, input)
    if (node.type === 'Pipeline')
      return (
        node.commands.reduce<Input | null>(
          (given, each) => ({ text: this.#printed(each, given), isFile: false }),
          input,
        )?.text ?? null
      )
    if (node.type === 'AndOr' || node.type === 'CompoundList') return this.#printedByAll(node.commands, input)
    if (node.type === 'Subshell' || node.type === 'BraceGroup') return this.#printed(node.body, input)
    if (node.type !== 'Command') return null
    const [[first, ...args] = []] = this.#fields(node)
    const program = first === undefined ? null : nameOf(first)
    const own = node.redirects.map((each) =>
      each.type === 'HereDoc' ? this.#document(each) : each.type === 'HereString' ? this.#textOf(each) : null,
    )
    if (program === 'pwd') return this.#state.directory
    return program === null ? null : printedBy(program, args, own.find((text) => text !== null) ?? input?.text ?? null)
  }

  #printedByAll(nodes: readonly SyntaxNode[], input: Input | null): string | null {
    const texts = nodes.map((node) => this.#printed(node, input))
    return texts.every((text) => text !== null) ? texts.join('\n') : null
  }

  #printedBySubstitution({ script }: CommandExpansionPart | ProcessSubstitutionPart): string | null {
    return script === undefined ? null : this.#printedByAll(script.commands, null)
  }

  /** `<(…)` as it is written. */
  #printedByProcess(text: string): string | null {
    const { commands }: { commands: readonly Statement[] } = parse(text.slice(2, -1))
    return commands.length === 0 ? null : this.#printedByAll(commands, null)
  }
}

/** The flags of what a wrapper runs are not its own. */
function ownWords(args: readonly Field[], inners: readonly Inner[]): readonly Field[] {
  const [inner] = inners
  if (inner?.kind !== 'words' || inner.words[0] === undefined) return args
  const at = args.indexOf(inner.words[0])
  return at < 0 || at + inner.words.length < args.length ? args : args.slice(0, at)
}
