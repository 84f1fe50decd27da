import type { ParameterExpansionPart, Word, WordPart } from 'unbash'
import type { WorkBudget } from '../util/work-budget.ts'
import { expandBraces } from './braces.ts'
import { withoutEnd } from './ends.ts'
import { operate } from './parameters.ts'
import { parseWithin } from './parsing.ts'
import { type Field, type ShellState, WORD_UNITS } from './state.ts'

/** A stretch of a word, before the shell splits it at blanks. */
interface Stretch {
  readonly text: string
  readonly isKnown: boolean
  readonly isPattern: boolean
  /** It comes from an expansion outside of quotes. */
  readonly isSplit: boolean
}

/** What a substitution prints, where that can be told without running it. */
type Printed = (part: WordPart & { type: 'CommandExpansion' | 'ProcessSubstitution' }) => string | null

/** All that a word may become: each a list of fields. */
type Readings = readonly (readonly Field[])[]

const MOST_READINGS = 16
const MOST_PARTS = 100
const LONGEST = 8_192
const PLAIN_HOME = /^~(?=\/|$)/
/** A variable that nobody has set is nothing: `pu${x}sh` is `push`. */
const EMBEDDED = /\w\$(?:\{\w+\}|\w+)\w/

const BETWEEN: Stretch = { text: ' ', isKnown: true, isPattern: false, isSplit: true }
const whole = (text: string, isPattern = false): Stretch => ({ text, isKnown: true, isPattern, isSplit: false })
const untold = (text: string, isSplit: boolean): Stretch => ({ text, isKnown: false, isPattern: false, isSplit })

export class WordReader {
  readonly #state: ShellState
  readonly #printed: Printed

  constructor(state: ShellState, printed: Printed) {
    this.#state = state
    this.#printed = printed
  }

  read(word: Word): Readings {
    this.#state.work.spend(WORD_UNITS + word.text.length)
    if (word.parts === undefined)
      return [[{ text: this.#atHome(word.value, word.text), isKnown: true, isPattern: false }]]
    if (word.parts.some(({ type }) => type === 'BraceExpansion')) return this.#braces(word)
    const readings = this.#stretches(word.parts, false, word.text).map((stretches) => this.#fields(stretches))
    return EMBEDDED.test(word.text) && readings.some((fields) => fields.some(({ isKnown }) => !isKnown))
      ? [...readings, ...this.#withoutUnset(word)]
      : readings
  }

  /** The one text of a word that is not split: of an assignment, a redirection, a here-string. */
  texts(word: Word): readonly Field[] {
    this.#state.work.spend(WORD_UNITS + word.text.length)
    if (word.parts === undefined)
      return [{ text: this.#atHome(word.value, word.text), isKnown: true, isPattern: false }]
    return this.#stretches(word.parts, false, word.text).map(joined)
  }

  /** The text of a here-document. */
  document(parts: readonly WordPart[]): Field {
    return joined(this.#stretches(parts, true, '')[0] ?? [])
  }

  #braces(word: Word): Readings {
    if ((word.parts?.length ?? 0) > MOST_PARTS) return [[{ text: word.text, isKnown: false, isPattern: false }]]
    const { work } = this.#state
    const fields: Field[] = []
    for (const text of expandBraces(word.parts ?? [], work)) {
      const [name] = readCommandWords(work, text)
      if (name !== undefined) fields.push(...(this.read(name)[0] ?? []))
    }
    return [fields]
  }

  #withoutUnset(word: Word): Readings {
    const text = word.text.replaceAll(
      /(?<=\w)\$(?:\{(\w+)\}|(\w+))(?=\w)/g,
      (all: string, braced?: string, bare?: string) => (this.#state.variables.has(braced ?? bare ?? '') ? all : ''),
    )
    const [name] = text === word.text ? [] : readCommandWords(this.#state.work, text)
    return name === undefined ? [] : this.read(name)
  }

  #stretches(parts: readonly WordPart[], isQuoted: boolean, text: string): Stretch[][] {
    if (parts.length > MOST_PARTS) return [[untold(text, !isQuoted)]]
    let all: Stretch[][] = [[]]
    for (const [index, part] of parts.entries()) {
      const isHome = index === 0 && !isQuoted && text.startsWith('~')
      const options = this.#part(part, isQuoted, isHome)
      const next = all.flatMap((before) =>
        options.map((option) => {
          this.#state.work.spend(WORD_UNITS * (1 + before.length + option.length))
          return [...before, ...option]
        }),
      )
      all = next.length > MOST_READINGS ? all.map((before) => [...before, untold(part.text, !isQuoted)]) : next
    }
    return all
  }

  /** What one part may become. */
  #part(part: WordPart, isQuoted: boolean, isHome: boolean): Stretch[][] {
    switch (part.type) {
      case 'Literal':
        return [[whole(isHome ? this.#atHome(part.value, part.text) : part.value)]]
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [[whole(part.value)]]
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#stretches(part.parts, true, '').map((stretches) =>
          stretches.length > 0 ? stretches : [whole('')],
        )
      case 'Glob':
        return [[whole(part.text, true)]]
      // All but something is as good as all.
      case 'ExtendedGlob':
        return [[whole(part.text.startsWith('!(') ? '*' : part.text, true)]]
      case 'SimpleExpansion':
        return this.#variable(part.text.slice(1), part.text, isQuoted)
      case 'ParameterExpansion':
        return this.#parameter(part, isQuoted)
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        const text = part.type === 'CommandExpansion' ? this.#printed(part) : null
        return [
          [
            text === null
              ? untold(part.text, false)
              : { text: withoutEnd(text, '\n'), isKnown: true, isPattern: false, isSplit: !isQuoted },
          ],
        ]
      default:
        return [[untold(part.text, false)]]
    }
  }

  #variable(name: string, written: string, isQuoted: boolean): Stretch[][] {
    if (name === '@' || name === '*') return this.#positionals(written, isQuoted)
    const values = this.#values(name)
    if (values === null || values.length === 0) return [[untold(written, !isQuoted)]]
    // A loop over `src/*` sets it to names that stand for others, also within quotes.
    return values.map((text) => [{ text, isKnown: true, isPattern: /[*?[]/.test(text), isSplit: !isQuoted }])
  }

  /** `$@` is one word for each; that is what splitting makes of it here. */
  #positionals(written: string, isQuoted: boolean): Stretch[][] {
    const { positional } = this.#state
    return positional === null ? [[untold(written, !isQuoted)]] : [this.#listed(positional, isQuoted)]
  }

  #values(name: string): readonly string[] | null {
    if (name === 'PWD' && !this.#state.variables.has(name))
      return this.#state.directory === null ? null : [this.#state.directory]
    if (name === '0') return this.#state.name.isKnown ? [this.#state.name.text] : null
    if (/^\d+$/.test(name)) {
      const { positional } = this.#state
      const given = positional?.[Number(name) - 1]
      if (given !== undefined) return given.isKnown ? [given.text] : null
      return positional === null ? null : ['']
    }
    return this.#state.variables.get(name) ?? null
  }

  #parameter(part: ParameterExpansionPart, isQuoted: boolean): Stretch[][] {
    if (part.prefix === '#') return [[untold(part.text, false)]]
    if ((part.parameter === '@' || part.parameter === '*') && part.operation === undefined)
      return this.#positionals(part.text, isQuoted)
    const elements = this.#elements(part)
    if (elements !== null) return [this.#listed(elements, isQuoted)]
    const named = part.prefix === '!' ? this.#values(part.parameter)?.[0] : part.parameter
    const values = named === undefined ? null : this.#values(named)
    const result = operate(part, values, (word) => this.texts(word))
    if (result === null || result.length === 0) return [[untold(part.text, !isQuoted)]]
    return result.map((each) => [{ ...each, isSplit: !isQuoted }])
  }

  /** Each element is a word of its own. */
  #listed(elements: readonly Field[], isQuoted: boolean): Stretch[] {
    this.#state.work.spend(2 * WORD_UNITS * elements.length)
    return elements.flatMap((each, index) => [...(index === 0 ? [] : [BETWEEN]), { ...each, isSplit: !isQuoted }])
  }

  #elements({ parameter, index, operation }: ParameterExpansionPart): readonly Field[] | null {
    const all = index === undefined || operation !== undefined ? undefined : this.#state.arrays.get(parameter)
    if (all === undefined) return null
    return index?.value === '@' || index?.value === '*' ? all : all.slice(Number(index?.value)).slice(0, 1)
  }

  #atHome(value: string, written: string): string {
    const { home } = this.#state
    return home !== null && written.startsWith('~') ? value.replace(PLAIN_HOME, home) : value
  }

  /** What comes from an expansion outside of quotes falls apart at blanks. */
  #fields(stretches: readonly Stretch[]): Field[] {
    const blanks = new Set(this.#state.variables.get('IFS')?.[0] ?? ' \t\n')
    const fields: Field[] = []
    let current: Stretch[] = []
    const end = (): void => {
      if (current.length > 0) fields.push(joined(current))
      current = []
    }
    for (const stretch of stretches) {
      this.#state.work.spend(WORD_UNITS + stretch.text.length)
      const pieces = piecesOf(stretch, blanks)
      for (const [index, text] of pieces.entries()) {
        if (index > 0) end()
        if (text !== '' || !stretch.isSplit) current.push({ ...stretch, text })
      }
    }
    end()
    return fields
  }
}

const joined = (stretches: readonly Omit<Stretch, 'isSplit'>[]): Field => {
  const length = stretches.reduce((sum, { text }) => sum + text.length, 0)
  return {
    text: stretches
      .map(({ text }) => text)
      .join('')
      .slice(0, LONGEST),
    isKnown: length <= LONGEST && stretches.every(({ isKnown }) => isKnown),
    isPattern: stretches.some(({ isPattern }) => isPattern),
  }
}

/** What lies between two elements is a blank, whatever else the shell splits at. */
function piecesOf(stretch: Stretch, blanks: ReadonlySet<string>): string[] {
  if (stretch === BETWEEN) return ['', '']
  return stretch.isSplit && stretch.isKnown ? splitAt(stretch.text, blanks) : [stretch.text]
}

function splitAt(text: string, blanks: ReadonlySet<string>): string[] {
  const pieces = ['']
  for (const char of text) {
    if (blanks.has(char)) pieces.push('')
    else pieces[pieces.length - 1] += char
  }
  return pieces
}

/** The words of a text that is one simple command. */
export function readCommandWords(work: WorkBudget, text: string): readonly Word[] {
  const command = parseWithin(work, text).commands[0]?.command
  if (command?.type !== 'Command' || command.name === undefined) return []
  return [command.name, ...command.args.filter((arg) => arg.type === 'Word')]
}
