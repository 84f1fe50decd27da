import type { RunProgram } from '../../../base/shell/reading.ts'
import { nameGlobs, wordGlobs } from '../glob.ts'
import { pathGlobs } from '../paths.ts'
import { type Check, type Fit, type Look, placeIn, type QuickCheck } from './answer.ts'
import { hiddenDoubt, type ShellFields, unreadDoubt } from './hidden.ts'
import { expression } from './regex.ts'
import { listed } from './state.ts'
import { mayHoldUnparsed } from './unparsable.ts'

/** A check of the words of one program. */
type WordCheck = (run: RunProgram) => boolean
/** A check of its files; null: one of them is unknown. */
type FileCheck = (run: RunProgram, look: Look) => Promise<boolean | null>

/** `-rf` is asked as `-r` and `-f`, `--force=x` as `--force`. */
const hasFlag =
  (given: string) =>
  ({ flags }: RunProgram): boolean => {
    const flag = given.replace(/=.*$/, '')
    if (flags.includes(flag)) return true
    return /^-[A-Za-z0-9]{2,}$/.test(flag) && Array.from(flag.slice(1)).every((letter) => flags.includes(`-${letter}`))
  }

const hasSubcommand = (wanted: string | string[]): WordCheck => {
  const fits = wordGlobs(listed(wanted).flatMap((words) => [words, `${words} *`]))
  return ({ subcommand }) => fits(subcommand)
}

const hasOne = (wanted: string | string[], listWords: (run: RunProgram) => readonly string[]): WordCheck => {
  const fits = wordGlobs(listed(wanted))
  return (run) => listWords(run).some(fits)
}

const wordChecks = (fields: ShellFields): WordCheck[] => {
  const {
    program,
    subcommand,
    flags,
    all_flags: all = [],
    without_flags: without,
    args,
    pipes_to: pipes,
    words,
  } = fields
  const some = (given: readonly string[]): WordCheck => {
    const each = given.map(hasFlag)
    return (run) => each.some((has) => has(run))
  }
  const isProgram = program === undefined ? null : nameGlobs(listed(program))
  const wanted = words === undefined ? null : expression(words)
  const isWithout = without === undefined ? null : some(without)
  return [
    ...(isProgram === null ? [] : [(run: RunProgram) => isProgram(run.program)]),
    ...(subcommand === undefined ? [] : [hasSubcommand(subcommand)]),
    ...(flags === undefined ? [] : [some(listed(flags))]),
    ...all.map(hasFlag),
    ...(isWithout === null ? [] : [(run: RunProgram) => !isWithout(run)]),
    ...(args === undefined ? [] : [hasOne(args, ({ operands }) => operands)]),
    ...(pipes === undefined ? [] : [hasOne(pipes, ({ pipesTo }) => pipesTo)]),
    ...(wanted === null
      ? []
      : [({ program: name, args: given }: RunProgram) => wanted.test([name, ...given].join(' '))]),
  ]
}

/** Signs that a flag or a forced reference begins with may come out of such a word. */
const openWord = /^["']*(?:[-+].*)?[$`]|^\{\}$|^(?:[-+].*)?[*?[]|^[\w-]+[*?[][\w-]*$/

/**
 * Whether a word that only the shell can tell may be what the fields ask for. Only of programs with subcommands: what a
 * variable gives to others is nearly always a file.
 */
const mayFitWords = (fields: ShellFields): WordCheck => {
  const { subcommand, flags, all_flags: all, args, ...known } = fields
  if (subcommand === undefined || (flags ?? all ?? args) === undefined) return () => false
  const rest = wordChecks({ ...known, without_flags: undefined })
  const isVerb = hasSubcommand(subcommand)
  return (run) =>
    run.untold.some((word) => openWord.test(word)) &&
    (run.subcommand === '' || isVerb(run)) &&
    rest.every((check) => check(run))
}

const touches = (
  given: string | string[] | undefined,
  filesOf: (run: RunProgram) => readonly (string | null)[],
  /** The directories that are touched with all their content. */
  treesOf: (run: RunProgram) => readonly (string | null)[] = () => [],
): FileCheck[] => {
  if (given === undefined) return []
  const globs = pathGlobs(listed(given))
  const check: FileCheck = async (run, { world }) => {
    const [files, trees] = [new Set(filesOf(run)), new Set(treesOf(run))]
    for (const file of files) if (file !== null && (await globs.fits(file, world))) return true
    for (const tree of trees) if (tree !== null && (await globs.fitsOrHolds(tree, world))) return true
    return files.has(null) ? null : false
  }
  return [check]
}

/** `rm` keeps directories unless a flag, or an unknown word, says otherwise. */
export const takesDirectories: WordCheck = ({ program, flags, args, via }) =>
  program !== 'rm' ||
  via.some((name) => name === 'xargs' || name === 'parallel') ||
  flags.some((flag) => /^(-[rRd]|--(recursive|dir))$/.test(flag)) ||
  args.some((arg) => /[$`]/.test(arg))

/** False as soon as one field surely does not fit. */
const fitsFiles = async (checks: readonly FileCheck[], run: RunProgram, look: Look): Promise<boolean | null> => {
  let isTold = true
  for (const check of checks) {
    const fits = await check(run, look)
    if (fits === false) return false
    if (fits === null) isTold = false
  }
  return isTold ? true : null
}

const shellFit = async (look: Look, run: RunProgram, others: readonly RunProgram[]): Promise<Fit> => {
  const text = await look.text(null)
  const words = [run.program, ...run.args].join(' ')
  return {
    kind: 'fit',
    captures: { program: run.program, subcommand: run.subcommand, words },
    places: text === null ? [] : [placeIn(text, run.span.start, run.span.end)],
    spans: [run, ...others].map(({ span }) => span),
  }
}

/**
 * One simple command that fits in all fields. What cannot be read at all is a doubt for everybody;
 * what a variable, made-up code or another language may hide is one for guards only.
 */
export const shellCheck = (fields: ShellFields, isGuard: boolean): { check: Check; quick: QuickCheck } => {
  const words = wordChecks(fields)
  const files = [
    ...touches(fields.reads, ({ reads }) => reads),
    ...touches(
      fields.writes,
      ({ writes }) => writes,
      ({ trees }) => trees,
    ),
    ...touches(
      fields.deletes,
      ({ deletes }) => deletes,
      (run) => (takesDirectories(run) ? run.deletes : []),
    ),
  ]
  const fitsWords = (run: RunProgram): boolean => words.every((check) => check(run))
  const mayFit = isGuard ? mayFitWords(fields) : () => false
  const mayHold = mayHoldUnparsed(fields, isGuard)
  const check: Check = async (look) => {
    const reading = await look.reading()
    if (reading === null) return null
    let untold: RunProgram | null = null
    const fitting: RunProgram[] = []
    for (const run of reading.runs.filter(fitsWords)) {
      const fits = await fitsFiles(files, run, look)
      if (fits === true) fitting.push(run)
      if (fits === null) untold ??= run
    }
    const [first, ...others] = fitting
    if (first !== undefined) return shellFit(look, first, others)
    const unread = unreadDoubt(reading, mayHold)
    if (unread !== null || !isGuard) return unread
    const open = reading.runs.find(mayFit)
    if (open !== undefined)
      return {
        kind: 'doubt',
        why: `nobody can tell what \`${open.untold.join(' ')}\` gives to \`${open.program}\` here`,
        advice: 'Write its flags and arguments out, without variables and substitutions.',
        isClosed: false,
      }
    if (untold === null) return hiddenDoubt(reading, fields)
    return {
      kind: 'doubt',
      why: `nobody can tell which files \`${untold.program}\` touches here`,
      advice: 'Name the files themselves, without variables and substitutions.',
      isClosed: false,
    }
  }
  const quick: QuickCheck = (look) => {
    const reading = look.readingNow()
    if (reading === undefined || reading === null) return reading === undefined
    return reading.opaque.length > 0 || reading.runs.some((run) => fitsWords(run) || mayFit(run))
  }
  return { check, quick }
}
