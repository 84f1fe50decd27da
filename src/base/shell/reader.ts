import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  type RedirectDescriptor,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { type Effects, NO_EFFECTS, pathOf } from './effect-calls.ts'
import { Expander, MOST_WORDS } from './expander.ts'
import type { WorkBudget } from '../util/work-budget.ts'
import type { ReadingContext, ShellReading } from './reading.ts'
import { commandsIn } from './mentions.ts'
import { Runner } from './runner.ts'
import { both, DEEPEST_CODE, type Input, MOST_COMMANDS, OUTERMOST, type Setting } from './setting.ts'
import { assign, type Field, field, newState, type ShellState, unknown, WORD_UNITS } from './state.ts'
import { parseWithin } from './parsing.ts'
import { isDownloader, markChanged, remember, writtenTo } from './written.ts'

const NODE_UNITS = 8
const BRANCHES = new Set(['If', 'Elif', 'While', 'For', 'ArithmeticFor', 'Select', 'Case', 'CaseItem', 'Coproc'])
const UNTOLD_INPUT: Input = { text: null, isFile: false }
const IS_NO_FILE = /^\/dev\/(?:null|std(?:in|out|err)|tty|fd\/\d+)$/

/** Walks through the syntax tree of a line, and of each line within it, in the order in which a shell would. */
export class Reader {
  readonly #state: ShellState
  readonly #expander: Expander
  readonly #runner: Runner
  #commands = 0

  constructor({ cwd, home, variables }: ReadingContext, work: WorkBudget) {
    this.#state = newState(cwd, home, work, variables)
    this.#expander = new Expander(this.#state, () => this.#runner.doubt('too many', ''))
    this.#runner = new Runner(this.#state, this.#expander, {
      code: (text, setting) => this.#code(text, setting),
      node: (node, setting) => this.#node(node, setting),
    })
  }

  get reading(): ShellReading {
    return { runs: this.#runner.runs, opaque: this.#runner.opaque }
  }

  read(text: string): void {
    this.#code(text, OUTERMOST)
    this.#runner.end()
    for (const [name, { body }] of this.#state.functions) {
      if (this.#runner.called.has(name)) continue
      this.#state.positional = null
      this.#runner.call(name, body, { ...OUTERMOST, isCertain: false, isDecisive: false })
    }
  }

  #code(text: string, setting: Setting): void {
    if (setting.depth > DEEPEST_CODE) return this.#runner.doubt('too deep', text)
    const { isPipefail } = this.#state
    this.#state.isPipefail = false
    this.#script(parseWithin(this.#state.work, text), text, { ...setting, isOutsideShell: false })
    this.#state.isPipefail = isPipefail
  }

  #script(script: ParsedScript | undefined, text: string, setting: Setting): void {
    if (script === undefined || (script.errors?.length ?? 0) > 0) this.#runner.doubt('unparsable', text)
    this.#list(script?.commands ?? [], setting)
  }

  /** The last one says how a list has ended. */
  #list(statements: readonly Statement[], setting: Setting): void {
    for (const each of statements)
      this.#node(each, { ...setting, isDecisive: setting.isDecisive && each === statements.at(-1) })
  }

  #node(node: SyntaxNode, setting: Setting): void {
    this.#state.work.spend(NODE_UNITS)
    switch (node.type) {
      case 'Command':
        return this.#command(node, setting)
      case 'Word':
        this.#literal(node, setting)
        return this.#children(node, setting)
      case 'Statement':
        if (node.background !== true) return this.#node(node.command, setting)
        return this.#apart(() => this.#node(node.command, { ...setting, isParallel: true, isDecisive: false }))
      case 'CompoundList':
        return this.#list(node.commands, setting)
      case 'Pipeline':
        return this.#pipeline(node, setting)
      case 'AndOr': {
        const lastOr = node.operators.lastIndexOf('||')
        for (const [index, each] of node.commands.entries()) {
          const isDecisive = setting.isDecisive && lastOr < Math.max(0, index - 1)
          if (node.operators[index - 1] !== '||') this.#node(each, { ...setting, isDecisive })
          else this.#maybe(() => this.#node(each, { ...setting, isCertain: false, isDecisive }))
        }
        return
      }
      case 'Function':
        this.#state.functions.set(node.name.value, node)
        return
      case 'Redirected': {
        const { effects, input } = this.#redirections(node.redirects, setting)
        const from = this.#runner.runs.length
        this.#node(node.command, { ...setting, input: input ?? setting.input, around: both(setting.around, effects) })
        remember(this.#state, effects.writes, null, this.#runner.runs.slice(from))
        return
      }
      case 'Subshell':
        return this.#apart(() => this.#children(node, setting))
      case 'For':
      case 'Select': {
        const fields =
          node.wordlist?.flatMap((word) => this.#expander.words.read(word).flat()) ?? this.#state.positional ?? []
        const isKnown = fields.every((each) => each.isKnown)
        this.#keepWords(fields, node.name.value, setting)
        assign(this.#state, node.name.value, isKnown ? fields.map(({ text }) => text) : null, false)
        return this.#branch(node, setting)
      }
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion': {
        const { script, text, pos, end } = node
        const span = setting.span ?? (script?.source === undefined ? null : { start: pos, end })
        // What is written to `>(…)` only the writer knows.
        const input = node.type === 'ProcessSubstitution' && node.operator === '>' ? UNTOLD_INPUT : null
        return this.#apart(() => this.#script(script, text, { ...setting, span, input, isDecisive: false }))
      }
      default:
        return BRANCHES.has(node.type) ? this.#branch(node, setting) : this.#children(node, setting)
    }
  }

  /** A condition evaluates subscripts and numbers, also those that stand in quotes: `[[ -v 'a[$(…)]' ]]`. */
  #literal(word: Word, setting: Setting): void {
    if (word.parts === undefined || !word.text.includes("'")) return
    for (const { text, isKnown } of this.#expander.words.texts(word))
      if (isKnown) this.#runner.net.evaluated(text, '[[', setting)
  }

  #branch(node: SyntaxNode, setting: Setting): void {
    this.#maybe(() => this.#children(node, { ...setting, isCertain: false, isDecisive: false }))
  }

  #children(node: SyntaxNode, setting: Setting): void {
    forEachChild(node, (child) => this.#node(child, setting))
  }

  /** Behind what may or may not have been run, nobody knows the directory if it could have changed. */
  #maybe(read: () => void): void {
    const { directory } = this.#state
    read()
    if (this.#state.directory !== directory) this.#state.directory = null
  }

  /** What a subshell does to its directory and options ends with it. */
  #apart(read: () => void): void {
    const { directory, isPipefail } = this.#state
    read()
    Object.assign(this.#state, { directory, isPipefail })
  }

  /** Words that a line holds for later. */
  #keepWords(words: readonly Field[], by: string, setting: Setting): void {
    for (const { text } of words) this.#runner.net.keep(text, by, setting)
    this.#runner.net.keep(words.map(({ text }) => text).join(' '), by, setting)
  }

  #pipeline({ commands, prefixes }: Pipeline, setting: Setting): void {
    let { input } = setting
    const start = this.#runner.runs.length
    const isParallel = setting.isParallel || commands.length > 1
    const isAsIs = setting.isDecisive && prefixes.every(({ type }) => type !== 'Negation')
    for (const command of commands) {
      const from = this.#runner.runs.length
      const isDecisive = isAsIs && (this.#state.isPipefail || command === commands.at(-1))
      this.#apart(() => this.#node(command, { ...setting, input, isParallel, isDecisive }))
      this.#runner.pipe(start, from)
      const isFetched = input?.isFetched === true || this.#runner.runs.slice(from).some(isDownloader)
      const mentions = [...this.#mentionsOf(input), ...this.#runner.wordsFrom(from)]
      input = { text: this.#expander.printed(command, input), isFile: false, isFetched, mentions }
    }
  }

  /** What a filter is given may be in what it prints. */
  #mentionsOf(input: Input | null): readonly string[] {
    return input === null ? [] : input.text === null ? (input.mentions ?? []) : [input.text]
  }

  /** Which files redirections touch, and what they give to standard input. */
  #redirections(
    redirects: readonly Redirection[],
    setting: Setting,
  ): { effects: Effects; input: Input | null; isAppending: boolean; unnamed: readonly string[] } {
    const reads: (string | null)[] = []
    const writes: (string | null)[] = []
    const unnamed: string[] = []
    let input: Input | null = null
    let isAppending = false
    for (const redirect of redirects) {
      this.#children(redirect, setting)
      let text: string | null | undefined
      if (redirect.type === 'HereDoc') text = this.#expander.document(redirect)
      else if (redirect.type === 'HereString') text = this.#expander.textOf(redirect)
      if (text !== undefined) input = this.#opened(redirect.descriptor, { text, isFile: false }) ?? input
      else if (redirect.type !== 'Redirect') continue
      else if (redirect.operator === '>&' && /^[3-9]$|^\d\d|^\$/.test(redirect.target?.text ?? ''))
        unnamed.push(`/dev/fd/${redirect.target?.text}`, `/proc/self/fd/${redirect.target?.text}`)
      else if (redirect.operator === '<&') input = this.#duplicated(redirect.target) ?? input
      else if (redirect.target !== undefined && !/^(?:\d+|-)$/.test(redirect.target.text)) {
        const [target = field('')] = this.#expander.words.texts(redirect.target)
        const path = pathOf(target, this.#state)
        if (redirect.operator.startsWith('<'))
          input = this.#opened(redirect.descriptor, this.#fileInput(target, path)) ?? input
        if (path === null && redirect.operator.includes('>')) unnamed.push(target.text)
        if (path !== null && IS_NO_FILE.test(path)) continue
        if (redirect.operator.includes('<')) reads.push(path)
        if (redirect.operator.includes('>')) writes.push(path)
        isAppending ||= redirect.operator.includes('>>')
      }
    }
    return { effects: { ...NO_EFFECTS, reads, writes }, input, isAppending, unnamed }
  }

  /** What is opened under another number than that of standard input is found by that: `bash /dev/fd/3 3<<< …`. */
  #opened(descriptor: RedirectDescriptor | undefined, input: Input): Input | null {
    const number = descriptor?.type === 'FileDescriptor' ? String(descriptor.value) : (descriptor?.name ?? '0')
    if (number === '0') return input
    const isDownload = input.isFetched === true || (input.text === null && !input.isFile)
    for (const path of [`/dev/fd/${number}`, `/proc/self/fd/${number}`])
      this.#state.files.set(path, { text: input.text, isDownload, writers: [] })
    return null
  }

  /** `<&3`, `<&${COPROC[0]}`: what the line itself has opened, or nobody can tell. */
  #duplicated(target: Word | undefined): Input | null {
    if (target === undefined || target.text === '-' || target.text === '0') return null
    const opened = writtenTo(this.#state, `/dev/fd/${target.text}`)
    if (opened === undefined && /^\d+$/.test(target.text)) return null
    return { text: opened?.text ?? null, isFile: opened !== undefined && !opened.isDownload }
  }

  #fileInput(target: Field, path: string | null): Input {
    if (target.text.startsWith('<('))
      return {
        text: this.#expander.printedByProcess(target.text),
        isFile: false,
        isFetched: /\b(?:curl|wget2?|nc|ncat|ssh|aria2c)\b/.test(target.text),
      }
    const written = writtenTo(this.#state, path)
    const isFromNetwork = written?.isDownload === true || path?.startsWith('/dev/tcp/') === true
    return { text: written?.text ?? null, isFile: !isFromNetwork }
  }

  #command(node: Command, setting: Setting): void {
    if (++this.#commands > MOST_COMMANDS || node.prefix.length > MOST_WORDS) return this.#runner.doubt('too many', '')
    const own = { ...setting, span: setting.span ?? { start: node.pos, end: node.end } }
    const from = this.#runner.runs.length
    // Substitutions in words are run before the command.
    for (const word of [node.name, ...node.args]) if (word !== undefined) this.#within(word, own)
    for (const part of node.prefix) if (part.type === 'Assignment') this.#within(part, own)
    for (const part of node.prefix) if (part.type === 'Assignment') this.#assignment(part, own, node.name === undefined)
    const { effects, input, isAppending, unnamed } = this.#redirections(node.redirects, own)
    const until = this.#runner.runs.length
    const inner = { ...own, input: input ?? own.input, around: both(own.around, effects) }
    const doubts = this.#runner.opaque.length
    const [first = [], ...others] = this.#expander.fields(node)
    const one = { ...inner, isDecisive: inner.isDecisive && others.length === 0 }
    this.#runner.run(first, one)
    for (const fields of others) this.#maybe(() => this.#runner.run(fields, one))
    if (this.#runner.opaque.slice(doubts).some(({ kind }) => kind === 'dynamic code')) this.#runner.pipe(from, until)
    if (effects.writes.length + unnamed.length > 0) {
      const paths = [...effects.writes.filter((path) => path !== null), ...unnamed]
      const text = this.#expander.printed(node, inner.input)
      const isFetched = inner.input?.isFetched === true || this.#runner.runs.slice(from, until).some(isDownloader)
      this.#runner.net.wrote(paths, text, own)
      remember(this.#state, paths, text, this.#runner.runs.slice(until), isAppending, isFetched)
      // A filter makes another text of what it is given.
      if (text === null && commandsIn(this.#mentionsOf(inner.input).join('\n'), this.#state.work).length > 0)
        markChanged(this.#state, paths)
    }
  }

  #within(node: SyntaxNode, setting: Setting): void {
    if (node.type === 'Word' && node.parts === undefined) return
    this.#children(node, { ...setting, span: setting.depth === 0 ? null : setting.span })
  }

  #assignment(part: Assignment, setting: Setting, isForGood: boolean): void {
    const { name, value, append } = part
    if (value.type === 'ArrayValue') {
      const elements = value.elements.flatMap((word) => this.#expander.words.read(word)[0] ?? [])
      const held = append === true ? (this.#state.arrays.get(name) ?? []) : []
      this.#state.work.spend(WORD_UNITS * held.length)
      this.#state.arrays.set(name, [...held, ...elements])
      this.#keepWords(elements, name, setting)
      return assign(this.#state, name, elements[0]?.isKnown === true ? [elements[0].text] : null, setting.isCertain)
    }
    const texts = this.#expander.words.texts(value)
    if (part.index !== undefined) return this.#element(name, part.index, texts[0])
    for (const each of texts) this.#runner.assigned(name, each, setting, isForGood)
    const before = append === true ? (this.#state.variables.get(name) ?? ['']) : ['']
    const values = texts.every(({ isKnown }) => isKnown)
      ? before.flatMap((old) => texts.map(({ text }) => old + text))
      : null
    assign(this.#state, name, values, setting.isCertain && isForGood)
  }

  /** `words[3]=-f`: past its end it is the next one. */
  #element(name: string, { text }: Word, value: Field = unknown('')): void {
    const held = [...(this.#state.arrays.get(name) ?? [])]
    this.#state.work.spend(WORD_UNITS * (held.length + 1))
    const at = /^\d+$/.test(text) ? Number(text) : held.length
    held[Math.min(at, held.length)] = value
    this.#state.arrays.set(name, held)
    // Where the shell keeps what names of commands stand for.
    if (/^BASH_(?:CMDS|ALIASES)$|^(?:aliases|commands|galiases)$/.test(name)) this.#state.aliases.set(text, value.text)
  }
}
