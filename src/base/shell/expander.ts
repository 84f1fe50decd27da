import { type Assignment, type Command, type HereDoc, type SyntaxNode, type Word } from 'unbash'
import { parseWithin } from './parsing.ts'
import { LONGEST_PRINTED, printedBy } from './printed.ts'
import { type Input, isMadeAtRunTime, nameOf } from './setting.ts'
import { costOf, type Field, type ShellState, unknown, WORD_UNITS } from './state.ts'
import { WordReader } from './words.ts'

const MOST_READINGS = 16
export const MOST_WORDS = 4_000
/** `$(echo $(echo …))`: nobody needs more to know what is printed. */
const DEEPEST_PRINTED = 8

/** Tells what words become, and what commands print that only print. */
export class Expander {
  readonly words: WordReader
  readonly #state: ShellState
  readonly #tellTooMany: () => void
  #printing = 0

  constructor(state: ShellState, tellTooMany: () => void) {
    this.#state = state
    this.#tellTooMany = tellTooMany
    this.words = new WordReader(state, (part) =>
      part.script === undefined ? null : this.#printedByAll(part.script.commands, null),
    )
  }

  /** All that the words of a command may become. */
  fields(node: Command): readonly (readonly Field[])[] {
    if (node.name === undefined) return [[]]
    let all = this.words.read(node.name).map((fields) => [...fields])
    for (const arg of node.args) {
      const readings = arg.type === 'Word' ? this.words.read(arg) : [[this.#assigned(arg)]]
      const [only = [unknown(arg.text)]] = readings
      this.#state.work.spend(WORD_UNITS * all.length * only.length)
      if (readings.length === 1) for (const fields of all) fields.push(...only)
      else if (all.length * readings.length > MOST_READINGS) for (const fields of all) fields.push(unknown(arg.text))
      else
        all = all.flatMap((before) =>
          readings.map((fields) => {
            this.#state.work.spend(WORD_UNITS * (before.length + fields.length))
            return [...before, ...fields]
          }),
        )
      if (all.some(({ length }) => length > MOST_WORDS)) {
        this.#tellTooMany()
        break
      }
    }
    return all
  }

  #assigned({ name, value, text }: Assignment): Field {
    const [given] = value.type === 'ArrayValue' ? [] : this.words.texts(value)
    return given === undefined ? unknown(text) : { ...given, text: `${name}=${given.text}` }
  }

  document({ body, delimiter }: HereDoc): string {
    return delimiter?.quoted === true || body.parts === undefined ? body.text : this.words.document(body.parts).text
  }

  /** What is all made at run time is no text; what is partly so is read as it is written. */
  textOf({ target }: { readonly target: Word | undefined }): string | null {
    const [given] = target === undefined ? [] : this.words.texts(target)
    return given === undefined || isMadeAtRunTime(given) ? null : given.text
  }

  /** What a command prints, where that can be told. */
  printed(node: SyntaxNode, input: Input | null): string | null {
    if (this.#printing >= DEEPEST_PRINTED) return null
    this.#printing++
    const text = this.#printedText(node, input)
    this.#printing--
    this.#state.work.spend(WORD_UNITS + (text?.length ?? 0))
    return text === null || text.length > LONGEST_PRINTED ? null : text
  }

  #printedText(node: SyntaxNode, input: Input | null): string | null {
    if (node.type === 'Statement') return this.printed(node.command, input)
    if (node.type === 'Pipeline')
      return (
        node.commands.reduce<Input | null>((given, each) => ({ text: this.printed(each, given), isFile: false }), input)
          ?.text ?? null
      )
    if (node.type === 'AndOr' || node.type === 'CompoundList') return this.#printedByAll(node.commands, input)
    if (node.type === 'Subshell' || node.type === 'BraceGroup') return this.printed(node.body, input)
    if (node.type !== 'Command') return null
    const [[first, ...args] = []] = this.fields(node)
    const program = first === undefined ? null : nameOf(first)
    const own = node.redirects.map((each) =>
      each.type === 'HereDoc' ? this.document(each) : each.type === 'HereString' ? this.textOf(each) : null,
    )
    if (program === 'pwd') return this.#state.directory
    const given = own.find((text) => text !== null) ?? input?.text ?? null
    this.#state.work.spend(costOf(args) + (given?.length ?? 0))
    return program === null ? null : printedBy(program, args, given)
  }

  #printedByAll(nodes: readonly SyntaxNode[], input: Input | null): string | null {
    let all = ''
    for (const [index, node] of nodes.entries()) {
      const text = this.printed(node, input)
      if (text === null) return null
      all += text + (index === nodes.length - 1 || endsWithinLine(node) ? '' : '\n')
    }
    return all
  }

  /** `<(…)` as it is written. */
  printedByProcess(text: string): string | null {
    const { commands } = parseWithin(this.#state.work, text.slice(2, -1))
    return commands.length === 0 ? null : this.#printedByAll(commands, null)
  }
}

/** `printf` and `echo -n` end no line of their own accord. */
const endsWithinLine = (node: SyntaxNode): boolean => {
  if (node.type === 'Statement') return endsWithinLine(node.command)
  if (node.type !== 'Command') return false
  return node.name?.value === 'printf' || (node.name?.value === 'echo' && node.args[0]?.text === '-n')
}
