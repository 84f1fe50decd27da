import { after, code, type Inner, type InnerReader, type Language, NONE, past, readFlag } from './inner.ts'
import { type Field, field } from './state.ts'

const LANGUAGE_OF: readonly (readonly [RegExp, Language, RegExp])[] = [
  [/^(?:ba|z|da|k|mk|a|fi|rba|pdk)?sh$/, 'shell', /^-[A-Za-z]*c[A-Za-z]*$/],
  [/^(?:python|pypy|ipython)[\d.]*$/, 'python', /^-[A-Za-z]*c$/],
  [/^perl[\d.]*$/, 'perl', /^-[A-Za-z0-9]*[eE]$/],
  [/^ruby[\d.]*$/, 'ruby', /^-[A-Za-z]*e$/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, 'node', /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^php[\d.]*$/, 'php', /^-r$/],
  [/^lua(?:jit)?[\d.]*$/, 'lua', /^-e$/],
]
const VALUE_OF_INTERPRETER = new Set(
  '-o +o -O +O --rcfile --init-file -W -X -Q -I -r --require --import --loader -m -l -C --cwd --preload --env-file'.split(
    ' ',
  ),
)

export const languageOf = (program: string): Language | null =>
  LANGUAGE_OF.find(([name]) => name.test(program))?.[1] ?? null

/** A shell or another interpreter: its code is an argument, a file or its input. */
export function interpreted(program: string, args: readonly Field[]): readonly Inner[] | null {
  const entry = LANGUAGE_OF.find(([name]) => name.test(program))
  if (entry === undefined) return null
  const [, language, codeFlag] = entry
  let isCode = false
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]
    const text = arg?.text ?? ''
    if (arg === undefined || text === '-' || (language === 'shell' && /^-[a-z]*s$/.test(text)))
      return [{ kind: 'input', language, args: args.slice(index + (args[index + 1]?.text === '--' ? 2 : 1)) }]
    if (codeFlag.test(text)) isCode = true
    else if (/^(?:--eval|--print)=/.test(text)) return [{ kind: 'code', language, code: after(arg, '='), args: [] }]
    else if (!isCode && language === 'python' && text === '-m') return NONE
    else if (!isCode && language === 'php' && text === '-d') index++
    else if (!isCode && VALUE_OF_INTERPRETER.has(text) && !(language === 'perl')) index++
    else if (!/^[-+]./.test(text) || arg.text === '--') {
      const at = text === '--' ? index + 1 : index
      const first = args[at]
      if (first === undefined) break
      const rest = args.slice(at + 1)
      return isCode
        ? [
            {
              kind: 'code',
              language,
              code: first,
              ...(language === 'shell' ? { name: rest[0], args: rest.slice(1) } : { args: rest }),
            },
          ]
        : [{ kind: 'file', language, file: first, args: rest }]
    }
  }
  return args.some(({ text }) => text === '--version' || text === '-v' || text === '--help')
    ? NONE
    : [{ kind: 'input', language }]
}

export const awk: InnerReader = (args) => {
  const program = past(args, '-f -v -F --file --assign --field-separator', 0)[0]
  const file = readFlag(args, '-f', '--file')
  if (file !== undefined) return [{ kind: 'file', language: 'awk', file, args: [] }]
  return program === undefined ? NONE : [{ kind: 'code', language: 'awk', code: program, args: [] }]
}

const LETTERS_LOOKED_AT_PER_UNIT = 16

/** GNU sed runs what stands behind `e`. */
export const sed: InnerReader = (args, _, work) =>
  args.flatMap(({ text }) => {
    const run = /(?:^|[;{}\n\d$!/])\s*e[ \t](.+)$/.exec(text)?.[1]
    // Each of its separators may be the one that ends what is looked for.
    work.spend((text.length * text.split(/[/|,#@]/).length) / LETTERS_LOOKED_AT_PER_UNIT)
    const [, , made] = /(?:^|[;{}\n\d$!/])\s*s([/|,#@])[^]*?\1([^]*?)\1[a-zA-Z0-9]*e/.exec(text) ?? []
    if (/^(?:\d+|\$|\/[^/]*\/)?\s*e$/.test(text)) return [{ kind: 'input', language: 'shell' } as const]
    if (made !== undefined) return [...code(field(made)), { kind: 'input', language: 'shell' } as const]
    return run === undefined ? [] : code(field(run))
  })

export const vim: InnerReader = (args) =>
  args.flatMap(({ text }) => {
    const run = /^\+?:?(?:silent\s+|sil\s+)?!(.+)$/.exec(text)?.[1]
    return run === undefined ? [] : code(field(run))
  })
