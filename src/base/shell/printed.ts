import { dirname } from 'node:path/posix'
import { withoutEnd } from './ends.ts'
import { printedByFind } from './find.ts'
import { readOptions } from './options.ts'
import { baseName } from './programs.ts'
import type { Field } from './state.ts'

/** What a program prints, where that can be told from its words and its input alone. */
export function printedBy(program: string, args: readonly Field[], input: string | null): string | null {
  const known = args.length <= MOST_WORDS && args.every(({ isKnown, isPattern }) => isKnown && !isPattern)
  if (program === 'find' && known) return printedByFind(args)
  // Of a list of places a filter leaves some.
  if (FILTERS.test(program) && input !== null && /^(?:\/|~).*\*\*/m.test(input)) return input
  if (SETS_UP.test([program, ...args.map(({ text }) => text)].join(' '))) return ''
  return known && Object.hasOwn(PRINTERS, program) ? (PRINTERS[program]?.(args, input) ?? null) : null
}

const MOST_WORDS = 200
const FILTERS = /^(?:sort|uniq|cut|e?grep|rg|[gmn]?awk|g?sed|head|tail|tr|shuf|tac)$/
/** Programs that print settings of their own for a shell to take over. */
const SETS_UP =
  /^(?:ssh-agent(?: -[sc])?|(?:direnv|atuin|zoxide|starship|fnm|pyenv|rbenv|nodenv|jenv|goenv|mise|rtx|asdf|thefuck|conda|mamba|micromamba|opam|brew|rustup|volta|docker-machine|minikube|op|gh|kubectl|helm|npm|pip3?|uv|register-python-argcomplete|dircolors)(?: (?:hook|init|env|activate|shellenv|completions?|docker-env|shell\.\w+|config)\b.*)?|dircolors.*|luarocks path.*)$/
/** What a program prints is not followed further than this. */
export const LONGEST_PRINTED = 65_536

type Printer = (args: readonly Field[], input: string | null) => string | null

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))/g,
    (all: string, hex?: string, octal?: string, plain?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return { n: '\n', t: '\t', '\\': '\\', r: '\r', 0: '\0' }[plain ?? ''] ?? all
    },
  )

/** With a file it prints that file, which nobody has read. */
const ofInput =
  (change: (input: string, flags: readonly string[]) => string | null, program: string): Printer =>
  (args, input) => {
    const { flags, operands } = readOptions(program, args)
    return input === null || operands.some(({ text }) => text !== '-') ? null : change(input, flags)
  }

const base64: Printer = ofInput((input, flags) => {
  const isDecoding = flags.some((flag) => ['-d', '-D', '--decode'].includes(flag))
  return isDecoding ? Buffer.from(input, 'base64').toString('utf8') : Buffer.from(input).toString('base64')
}, 'base64')

const xxd: Printer = ofInput((input, flags) => {
  return flags.includes('-r') && flags.includes('-p')
    ? Buffer.from(input.replaceAll(/\s/g, ''), 'hex').toString('utf8')
    : null
}, 'xxd')

const rev: Printer = ofInput(
  (input) =>
    input
      .split('\n')
      .map((line) => Array.from(line).toReversed().join(''))
      .join('\n'),
  'rev',
)

const trDeleting: Printer = (args, input) => {
  const [flag, from] = args
  if (input === null || flag?.text !== '-d' || from === undefined) return null
  const gone = new Set(ranged(from.text))
  return Array.from(input)
    .filter((char) => !gone.has(char))
    .join('')
}

const ranged = (text: string): string =>
  unescaped(text.slice(0, LONGEST_SET)).replaceAll(/(.)-(.)/g, (all: string, first: string, last: string) => {
    const count = last.charCodeAt(0) - first.charCodeAt(0) + 1
    if (count <= 0 || count > 256) return all
    return Array.from({ length: count }, (_, index) => String.fromCharCode(first.charCodeAt(0) + index)).join('')
  })

/** More letters than there are ranges of. */
const LONGEST_SET = 256

/** `which git` is where git lies: with programs of the system, as far as anybody can tell. */
const which: Printer = (args) => {
  const named = args.filter(({ text }) => !text.startsWith('-'))
  const [only] = named
  if (named.length !== 1 || only === undefined) return null
  return only.text.includes('/') ? only.text : `/usr/bin/${only.text}`
}

/** Of a path, without looking at it. */
const ofPath =
  (change: (path: string) => string): Printer =>
  (args) => {
    const [path] = args.filter(({ text }) => !text.startsWith('-'))
    return path === undefined ? null : change(path.text)
  }

/** Names of what is here, none of which git lets begin with a dash or a plus. */
const HERE_IN_GIT =
  /^(?:branch --show-current|rev-parse (?:--short |--verify )?HEAD|rev-parse --abbrev-ref HEAD|symbolic-ref (?:-q )?--short (?:-q )?HEAD|describe --tags(?: --abbrev=0)?)$/

/** All that it keeps. */
const ALL_IN_GIT = /^ls-files(?: -z| -c| --cached| --full-name)*$/

const PRINTERS: Readonly<Record<string, Printer>> = {
  echo: (args) => {
    const flags = args.findIndex(({ text }) => !/^-[neE]+$/.test(text))
    const words = flags < 0 ? [] : args.slice(flags)
    const isEscaped = args.slice(0, Math.max(0, flags)).some(({ text }) => text.includes('e'))
    const text = words.map((word) => word.text).join(' ')
    return isEscaped ? unescaped(text) : text
  },
  printf: (args) => {
    const [format, ...given] = args[0]?.text === '--' ? args.slice(1) : args
    if (format === undefined || format.text.startsWith('-')) return null
    const values = given.map(({ text }) => text)
    const plain = unescaped(format.text)
    let out = ''
    do {
      out += plain.replaceAll(/%(?:-?\d*)?([sbqd%])/g, (_, kind: string) => {
        if (kind === '%') return '%'
        const value = values.shift() ?? ''
        return kind === 'b' ? unescaped(value) : value
      })
    } while (values.length > 0 && out.length <= LONGEST_PRINTED && /%[-\d]*[sbqd]/.test(format.text))
    return out
  },
  base64,
  xxd,
  rev,
  tr: (args, input) => {
    const [from, to] = args.map(({ text }) => ranged(text))
    if (input === null || from === undefined || args[0]?.text.startsWith('-') === true) return trDeleting(args, input)
    if (to === undefined || to === '') return null
    // The first of two that are alike counts.
    const becomes = new Map(Array.from(from, (char, at) => [char, to[at] ?? to.at(-1) ?? ''] as const).toReversed())
    return Array.from(input, (char) => becomes.get(char) ?? char).join('')
  },
  which,
  type: (args) => (args.some(({ text }) => /^-[pP]$/.test(text)) ? which(args, null) : null),
  command: (args) => (args.some(({ text }) => text === '-v') ? which(args, null) : null),
  cat: ofInput((input) => input, 'cat'),
  tee: (_, input) => input,

  /** A new file that nobody else has: its name is as good as any. */
  mktemp: (args) => {
    const { flags, operands } = readOptions('mktemp', args)
    const name = operands.at(-1)?.text ?? 'tmp.XXXXXXXXXX'
    return name.startsWith('/') || (operands.length > 0 && !flags.includes('-t')) ? name : `/tmp/${name}`
  },
  du: (args) => {
    const places = args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text)
    return places.every((place) => /^[/~]/.test(place))
      ? places.map((place) => `${withoutEnd(place, '/')}/**`).join('\n')
      : null
  },
  git: (args) => {
    const words = args.map(({ text }) => text).join(' ')
    if (ALL_IN_GIT.test(words)) return './**'
    return HERE_IN_GIT.test(words) ? 'HEAD' : null
  },

  /** A format without fields is what it prints. */
  date: (args) => {
    const [only] = args
    if (args.length !== 1 || only === undefined || !only.text.startsWith('+')) return null
    return only.text.includes('%') ? null : only.text.slice(1)
  },
  realpath: ofPath((path) => path),
  readlink: ofPath((path) => path),
  basename: ofPath((path) => baseName(withoutEnd(path, '/'))),
  dirname: ofPath(dirname),
}
