import type { SyntaxNode } from 'unbash'
import { applyBuiltin } from './builtins.ts'
import { type Effects, pathOf } from './effect-calls.ts'
import { effectsOf } from './effects.ts'
import type { Expander } from './expander.ts'
import { readForeign, UNTOLD } from './foreign.ts'
import { readsFetched } from './fetched.ts'
import { canStart } from './guess.ts'
import { isScatteredPush } from './mentions.ts'
import { Net } from './net.ts'
import { type Inner, type Language, readFlag } from './inner.ts'
import { readOptions } from './options.ts'
import { FORK_BOMB, type Opaque, type OpaqueKind } from './reading.ts'
import { both, DEEPEST_CODE, isMadeAtRunTime, MOST_COMMANDS, nameOf, type Setting, sizeOf } from './setting.ts'
import { aliasInner, leadsGitElsewhere, settingInner, settingsInVariable } from './git-settings.ts'
import { assign, costOf, type Field, field, setPositional, type ShellState, unknown } from './state.ts'
import { handedTo, notedAs } from './strangers.ts'
import { passesOn } from './success.ts'
import { readCommandWords } from './words.ts'
import { innerOf } from './wrappers.ts'
import { carry, type Run, writtenTo } from './written.ts'

const MOST_RUNS = 1_000
/** What git itself starts can be started without it. */
const GIT_PROGRAM = /^git-([a-z][a-z-]*)$/
/** Variables that hold a line of shell for the program that is started with them. */
const HOLDS_CODE =
  /^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_(?:SEQUENCE_)?EDITOR|GIT_PAGER|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_ASKPASS|EDITOR|VISUAL|PAGER|LESSOPEN|PROMPT_COMMAND|BASH_ENV|ENV|PS[0124])$/
const ASSIGNED = /^([A-Za-z_][\w%]*)=([\s\S]*)$/
/** Verbs of git that settings of another place can make a forced push of: an alias may have any name. */
const MAY_PUSH =
  /^(?!(?:add|am|apply|bisect|blame|branch|cat-file|check-ignore|checkout|cherry-pick|clean|clone|commit|config|describe|diff|fetch|grep|hash-object|init|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|pull|rebase|reflog|remote|reset|restore|rev-list|rev-parse|revert|rm|show|stash|status|submodule|switch|symbolic-ref|tag|worktree|write-tree)(?: |$))/
/** Builtins that evaluate subscripts and numbers in their words, with all that is substituted in them. */
const EVALUATES = /^(?:test|\[|let|declare|typeset|local|export|readonly|unset|printf|read|wait|getopts)$/
const SYSTEM = /^\/(?:usr|bin|sbin|opt|lib|etc|proc|dev)\//
const IS_INPUT = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/

/** Who reads lines and syntax trees that a program runs. */
interface Walk {
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
  readonly net: Net
  #isEnding = false
  readonly #state: ShellState
  readonly #expander: Expander
  readonly #walk: Walk

  constructor(state: ShellState, expander: Expander, walk: Walk) {
    this.#state = state
    this.#expander = expander
    this.#walk = walk
    this.net = new Net(state, expander, {
      run: (words, setting) => this.run(words, setting),
      code: (text, setting) => walk.code(text, setting),
      doubt: (text) => this.doubt('dynamic code', text),
      opaque: this.opaque,
    })
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

  /** The words of all that was run since then. */
  wordsFrom(from: number): readonly string[] {
    const runs = this.runs.slice(from)
    this.#state.work.spend(runs.reduce((sum, { args }) => sum + args.length, 0))
    return runs.flatMap(({ args }) => [...args, args.join(' ')])
  }

  /** One program with its words, and all that it runs. */
  run(fields: readonly Field[], setting: Setting): void {
    this.#state.work.spend(costOf(fields) + sizeOf(setting.around) + setting.via.length)
    const [first, ...args] = fields
    if (this.runs.length > MOST_RUNS) return this.doubt('too many', '')
    if (first === undefined) {
      // Redirections without a program.
      if (setting.around.reads.length + setting.around.writes.length > 0) this.#add('', [], setting)
      return
    }
    const program = nameOf(first)
    if (program === null) {
      this.#add(first.text, args, setting)
      this.net.open()
      this.doubt('dynamic program', [first, ...args].map(({ text }) => text).join(' '))
      return
    }
    if (program === 'git') this.#gitAlias(args, setting)
    const verb = GIT_PROGRAM.exec(program)?.[1]
    if (verb !== undefined) return this.run([field('git'), field(verb), ...args], setting)
    const copied = this.#state.copies.get(program)
    if (copied !== undefined && copied !== program && setting.depth <= DEEPEST_CODE)
      this.run([field(copied), ...args], { ...setting, depth: setting.depth + 1, via: [...setting.via, program] })
    if (!this.#isDefined(program, args, setting)) this.#program(first, program, args, setting)
  }

  /** `git config alias.p push; git p -f`. */
  #gitAlias(args: readonly Field[], setting: Setting): void {
    const { gitAliases } = this.#state
    const key = args.findIndex(({ text }) => /^alias\../i.test(text))
    if (key >= 0 && args[key + 1] !== undefined)
      gitAliases.set(args[key]?.text.slice(6) ?? '', args[key + 1]?.text ?? '')
    const at = args.findIndex(({ text }) => gitAliases.has(text))
    const value = at < 0 || setting.depth > DEEPEST_CODE ? undefined : gitAliases.get(args[at]?.text ?? '')
    if (value === undefined || value.startsWith('!')) return
    const words = readCommandWords(this.#state.work, `git ${value}`).flatMap(
      (word) => this.#expander.words.read(word)[0] ?? [],
    )
    this.run([...words, ...args.slice(at + 1)], { ...setting, depth: setting.depth + 1, via: [...setting.via, 'git'] })
  }

  #program(first: Field, program: string, args: readonly Field[], setting: Setting): void {
    this.#assignedIn(program, args, setting)
    // Words of `xargs` may come from a file that the line has written.
    const list = /^g?xargs$|^parallel$/.test(program) ? readFlag(args, '-a', '--arg-file') : undefined
    const input =
      list === undefined
        ? (setting.input?.text ?? null)
        : (writtenTo(this.#state, pathOf(list, this.#state))?.text ?? null)
    const inners = innerOf(program, args, input, this.#state.work)
    if (inners.length > MOST_RUNS) return this.doubt('too many', '')
    const run = this.#add(program, args, setting, inners)
    if (program === 'git' && this.#state.isGitElsewhere && MAY_PUSH.test(run.subcommand))
      this.doubt('dynamic code', 'git, with settings of another place')
    applyBuiltin(this.#state, program, args, input, setting.isCertain)
    const wasFetched = this.#state.isFetched
    carry(this.#state, run, setting.input)
    this.#handed(run, args, inners.length > 0, setting)
    if (first.text.includes('/')) this.#file(first, 'shell', args, program, setting)
    if (EVALUATES.test(program)) for (const { text } of args) this.net.evaluated(text, program, setting)
    for (const inner of inners) this.#inner(inner, program, setting)
    if (readsFetched(this.#state, run, args, { input: setting.input, isRead: inners.length > 0, wasFetched }))
      this.doubt('dynamic code', `${program} of what was fetched`)
    this.net.program(run, args, inners.length > 0, setting)
    this.net.besidesCode(args, inners, program, setting)
  }

  #handed(run: Run, args: readonly Field[], isWrapper: boolean, setting: Setting): void {
    if (this.net.isGuessing) return
    for (const handed of handedTo(run, args, { isWrapper, input: setting.input?.text ?? null }, this.#state)) {
      const [name = field(''), ...words] = notedAs(run.program, handed)
      this.#add(name.text, words, { ...setting, isDecisive: false })
    }
  }

  /** What a variable means to the programs that get it. */
  assigned(name: string, value: Field, setting: Setting, isForGood = false): void {
    if (leadsGitElsewhere(name, value)) this.#state.isGitElsewhere = true
    if (name === 'GIT_DIR') this.#state.gitDirectory = pathOf(value, this.#state)
    if (name === 'LD_PRELOAD' || name === 'LD_AUDIT') {
      // A library that is loaded into the next program runs in it.
      const isDownload = writtenTo(this.#state, pathOf(value, this.#state))?.isDownload === true
      if (isDownload || (!value.isKnown && /\b(?:curl|wget)\b/.test(value.text))) this.doubt('dynamic code', value.text)
    }
    const inner = { ...setting, isDecisive: false, via: [...setting.via, name] }
    // A function that a shell takes from its environment, or what a program runs that is told to by a variable.
    if (value.text.startsWith('()') || (!isForGood && /^[A-Z][A-Z0-9_]+$/.test(name)))
      this.net.judge(value.text, name, setting)
    else this.net.evaluated(value.text, name, setting)
    if (HOLDS_CODE.test(name)) this.#walk.code(value.text, { ...inner, depth: setting.depth + 1 })
    for (const given of settingsInVariable(this.#state, name, value))
      for (const each of [...settingInner(given), ...aliasInner(given, null, '')]) this.#inner(each, 'git', inner)
  }

  /** `env A=1 program`, `export A=1`: words before the program, or all of them. */
  #assignedIn(program: string, args: readonly Field[], setting: Setting): void {
    const isExport = /^(?:export|declare|typeset|local|readonly)$/.test(program)
    if (!isExport && !/^(?:g?env|sudo|doas|systemd-run|cross-env)$/.test(program)) return
    for (const arg of args) {
      const [, name, value] = ASSIGNED.exec(arg.text) ?? []
      if (name === undefined || value === undefined) {
        if (isExport || arg.text.startsWith('-')) continue
        return
      }
      this.assigned(name, { ...arg, text: value }, setting)
      if (!isExport) assign(this.#state, name, arg.isKnown ? [value] : null, false)
    }
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
    this.#aliasedWords(program, args, setting)
    const alias = this.#state.aliases.get(program)
    if (alias === undefined || setting.depth > DEEPEST_CODE) return false
    const words = readCommandWords(this.#state.work, alias).flatMap((word) => this.#expander.words.read(word)[0] ?? [])
    const next = { ...setting, depth: setting.depth + 1, via: [...setting.via, program] }
    if (words[0]?.text === program) return false
    this.run([...words, ...args], next)
    return true
  }

  /** Aliases for words anywhere, and for the word behind an alias that ends with a blank. */
  #aliasedWords(program: string, args: readonly Field[], setting: Setting): void {
    const { aliases, work } = this.#state
    if (aliases.size === 0 || this.net.isGuessing || program === 'alias') return
    work.spend(args.length)
    if (!args.some(({ text }) => aliases.has(text))) return
    const line = [program, ...args.map(({ text }) => text)].map((word) => aliases.get(word) ?? word).join(' ')
    this.net.judge(line, program, setting)
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
    const effects = throughLinks(both(effectsOf(program, options, own, this.#state), setting.around), args, this.#state)
    // A pattern of names of files may become a flag or a verb of git.
    const run = {
      program,
      args: args.map(({ text }) => text),
      untold: args
        .filter((arg) =>
          arg.isKnown
            ? arg.isPattern &&
              program === 'git' &&
              (/^[-+*?[]/.test(arg.text) || (options.subcommand === '' && /^[\w*?[\]-]+$/.test(arg.text)))
            : !isNamedOutside(this.#state, arg),
        )
        .map(({ text }) => text),
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

  /** What is to be run at the end knows all that was set until then. */
  readonly #atEnd: (() => void)[] = []

  end(): void {
    for (const run of this.#atEnd.splice(0)) run()
    this.net.end()
  }

  #inner(inner: Inner, program: string, setting: Setting): void {
    if (program === 'trap' && !this.#isEnding) {
      this.#atEnd.push(() => {
        this.#isEnding = true
        this.#inner(inner, program, setting)
        this.#isEnding = false
      })
      return
    }
    const isDecisive = setting.isDecisive && passesOn(program, inner)
    const next = { ...setting, isDecisive, depth: setting.depth + 1, via: [...setting.via, program] }
    if (next.depth > DEEPEST_CODE) return this.doubt('too deep', program)
    switch (inner.kind) {
      case 'words':
        return this.#moved(inner.directory, () => this.run(inner.words, { ...next, isOutsideShell: true }))
      case 'code':
        return this.#named(inner.name, () =>
          this.#given(inner.language, inner.code, inner.args, {
            ...next,
            input: inner.language === 'shell' ? next.input : null,
          }),
        )
      case 'file':
        return this.#file(inner.file, inner.language, inner.args, program, next)
      case 'input':
        return this.#fromInput(inner.language, program, next, inner.args)
    }
  }

  /** Code may run its own name: `bash -c '"$0" "$@"' git push`. */
  #named(name: Field | undefined, read: () => void): void {
    const before = this.#state.name
    if (name !== undefined) this.#state.name = name
    read()
    this.#state.name = before
  }

  #moved(directory: Field | undefined, read: () => void): void {
    const before = this.#state.directory
    if (directory !== undefined) this.#state.directory = pathOf(directory, this.#state)
    read()
    if (directory !== undefined) this.#state.directory = before
  }

  #given(language: Language, code: Field, args: readonly Field[], setting: Setting): void {
    if (isMadeAtRunTime(code)) {
      this.doubt('dynamic code', code.text)
      if (language !== 'shell' || !/[;&|\n]/.test(code.text)) return
    }
    const before = this.#state.positional
    if (setting.via.at(-1) !== 'eval' && setting.via.at(-1) !== 'trap') setPositional(this.#state, args)
    this.#interpret(language, code.text, setting)
    this.#state.positional = before
  }

  #interpret(language: Language, code: string, setting: Setting): void {
    if (language === 'shell') return this.#walk.code(code, setting)
    const { lines, calls, reads, writes, deletes, isOpen, isMade, isFetching } = readForeign(
      language,
      code,
      this.#state.work,
    )
    if (isFetching) this.#state.isFetched = true
    const paths = (texts: readonly string[]): (string | null)[] => texts.map((text) => pathOf(field(text), this.#state))
    const effects = {
      reads: paths(reads),
      writes: paths(writes),
      deletes: paths(deletes),
      trees: paths(writes),
      resets: [],
    }
    if (reads.length + writes.length + deletes.length > 0)
      this.#add(setting.via.at(-1) ?? language, [], { ...setting, around: effects })
    if (lines.length + calls.length > MOST_COMMANDS) return this.doubt('too many', '')
    for (const line of lines) this.#walk.code(line, { ...setting, depth: setting.depth + 1 })
    for (const call of calls)
      this.run(
        call.map((word) => (word === UNTOLD ? unknown(word) : field(word))),
        { ...setting, depth: setting.depth + 1 },
      )
    if (canStart(language, code)) {
      this.net.judge(code, setting.via.at(-1) ?? language, setting)
      if (isScatteredPush(code)) this.net.judge('git push --force origin', setting.via.at(-1) ?? language, setting)
    }
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
    const written = writtenTo(this.#state, path ?? file.text)
    if (written === undefined && this.#state.isFetched && path !== null && !SYSTEM.test(path))
      this.doubt('dynamic code', file.text)
    if (written === undefined) return
    if (written.text !== null)
      this.#given(language, { ...field(written.text) }, args, { ...setting, depth: setting.depth + 1 })
    else if (written.isDownload || written.isChanged === true) this.doubt('dynamic code', file.text)
    for (const writer of written.writers) writer.pipesTo.push(file.text.endsWith(program) ? 'sh' : program)
  }

  #fromInput(language: Language, program: string, setting: Setting, args: readonly Field[] = []): void {
    const { input } = setting
    if (input === null) return
    if (input.text !== null) return this.#given(language, field(input.text), args, { ...setting, input: null })
    if (!input.isFile) this.doubt('dynamic code', `… | ${program}`)
  }
}

/** What is deleted below a link that the line has made lies where the link leads to. */
function throughLinks(effects: Effects, args: readonly Field[], { links, work }: ShellState): Effects {
  if (links.size === 0 || effects.deletes.length === 0) return effects
  work.spend(links.size * effects.deletes.length)
  const isWhole = args.some(({ text }) => text.endsWith('/') || text === '-L' || text === '-follow')
  const led = effects.deletes.flatMap((path) =>
    [...links].flatMap(([from, to]) => {
      if (path === from && isWhole) return [to]
      return path?.startsWith(`${from}/`) === true ? [`${to === '/' ? '' : to}${path.slice(from.length)}`] : []
    }),
  )
  return { ...effects, deletes: [...effects.deletes, ...led] }
}

/** A name that the environment has, by its own name: `"$BRANCH"` that the line does not set. */
const isNamedOutside = ({ variables }: ShellState, { text }: Field): boolean => {
  const [, name] = /^\$\{?(\w+)\}?$/.exec(text) ?? []
  return name !== undefined && NAMES_THINGS.test(name) && !variables.has(name)
}
const NAMES_THINGS = /branch|remote|ref|tag|version|sha|commit|origin|upstream|repo|url|head|base|target|release/i

/** The flags of what a wrapper runs are not its own. */
function ownWords(args: readonly Field[], inners: readonly Inner[]): readonly Field[] {
  const [inner] = inners
  if (inner?.kind !== 'words' || inner.words[0] === undefined) return args
  const at = args.indexOf(inner.words[0])
  return at < 0 || at + inner.words.length < args.length ? args : args.slice(0, at)
}
