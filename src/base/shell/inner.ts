import type { WorkBudget } from '../util/work-budget.ts'
import type { Field } from './state.ts'

export type Language = 'shell' | 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk'

/** What a program runs besides itself. */
export type Inner =
  /** Another program with its words, after variables that it gets. */
  | { readonly kind: 'words'; readonly words: readonly Field[]; readonly directory?: Field | undefined }
  | {
      readonly kind: 'code'
      readonly language: Language
      readonly code: Field
      readonly args: readonly Field[]
      readonly name?: Field | undefined
    }
  | { readonly kind: 'file'; readonly language: Language; readonly file: Field; readonly args: readonly Field[] }
  /** Its standard input is code. */
  | { readonly kind: 'input'; readonly language: Language; readonly args?: readonly Field[] }

export type InnerReader = (args: readonly Field[], input: string | null, work: WorkBudget) => readonly Inner[]

export const NONE: readonly Inner[] = []
export const words = (list: readonly Field[], directory?: Field): readonly Inner[] =>
  list.length === 0 ? NONE : [{ kind: 'words', words: list, directory }]
export const code = (text: Field | undefined, args: readonly Field[] = []): readonly Inner[] =>
  text === undefined ? NONE : [{ kind: 'code', language: 'shell', code: text, args }]

/** Several words that are joined to one line of shell. */
export const line = (list: readonly Field[]): Field => ({
  text: list.map(({ text }) => text).join(' '),
  isKnown: list.every(({ isKnown }) => isKnown),
  isPattern: false,
})

const ASSIGNMENT = /^[A-Za-z_][\w%]*=/

/** Past the flags of a wrapper, what they are given, variables, and its own words. */
export function past(args: readonly Field[], flags: string, own: number): readonly Field[] {
  const withValue = new Set(flags.split(' '))
  let left = own
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? ''
    if (text === '--') return args.slice(index + 1 + left)
    if (/^-./.test(text))
      index += withValue.has(text) || (/^-[A-Za-z]{2,}$/.test(text) && withValue.has(`-${text.at(-1) ?? ''}`)) ? 1 : 0
    else if (!ASSIGNMENT.test(text) && left-- <= 0) return args.slice(index)
  }
  return []
}

export const after = (arg: Field, mark: string): Field => ({ ...arg, text: arg.text.slice(arg.text.indexOf(mark) + 1) })

export const readFlag = (args: readonly Field[], ...flags: readonly string[]): Field | undefined => {
  for (const [index, arg] of args.entries()) {
    if (flags.includes(arg.text)) return args[index + 1]
    if (flags.some((flag) => flag.startsWith('--') && arg.text.startsWith(`${flag}=`))) return after(arg, '=')
  }
  return undefined
}
