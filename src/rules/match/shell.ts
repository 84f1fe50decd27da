import type { RunProgram, ShellReading } from '../../shell/reading.ts'
import { wordGlobs } from '../glob.ts'
import { type PathGlobs, pathGlobs } from '../paths.ts'
import type { World } from '../types.ts'
import { type Check, type Doubt, type Fit, type Look, placeIn, type QuickCheck } from './answer.ts'
import { hiddenDoubt, type ShellFields, unreadDoubt } from './hidden.ts'
import { expression } from './regex.ts'
import { listed } from './state.ts'

/** Whether one program fits; null: a file of it cannot be told. */
type RunCheck = (run: RunProgram, look: Look) => boolean | null | Promise<boolean | null>

/** `-rf` is asked as `-r` and `-f`, `--force=x` as `--force`. */
const hasFlag =
  (given: string) =>
  ({ flags }: RunProgram): boolean => {
    const flag = given.replace(/=.*$/, '')
    if (flags.includes(flag)) return true
    return /^-[A-Za-z0-9]{2,}$/.test(flag) && Array.from(flag.slice(1)).every((letter) => flags.includes(`-${letter}`))
  }

const hasSubcommand = (wanted: string | string[]): RunCheck => {
  const fits = wordGlobs(listed(wanted).flatMap((words) => [words, `${words} *`]))
  return ({ subcommand }) => fits(subcommand)
}

const touches = (
  globs: PathGlobs,
  pick: (run: RunProgram) => readonly (string | null)[],
  isWhole: boolean,
): RunCheck => {
  const fits = (file: string, world: World): Promise<boolean> =>
    isWhole ? globs.fitsOrHolds(file, world) : globs.fits(file, world)
  return async (run, { world }) => {
    const files = pick(run)
    for (const file of files) if (file !== null && (await fits(file, world))) return true
    return files.includes(null) ? null : false
  }
}

const checksOf = (fields: ShellFields): RunCheck[] => {
  const checks: RunCheck[] = []
  const add = <T>(given: T | undefined, toCheck: (given: T) => RunCheck): void => {
    if (given !== undefined) checks.push(toCheck(given))
  }
  add(fields.program, (wanted) => {
    const fits = wordGlobs(listed(wanted))
    return ({ program }) => fits(program)
  })
  add(fields.subcommand, hasSubcommand)
  add(fields.flags, (wanted) => {
    const each = listed(wanted).map(hasFlag)
    return (run) => each.some((has) => has(run))
  })
  add(fields.all_flags, (wanted) => {
    const each = wanted.map(hasFlag)
    return (run) => each.every((has) => has(run))
  })
  add(fields.without_flags, (wanted) => {
    const each = wanted.map(hasFlag)
    return (run) => !each.some((has) => has(run))
  })
  add(fields.args, (wanted) => {
    const fits = wordGlobs(listed(wanted))
    return ({ operands }) => operands.some(fits)
  })
  add(fields.pipes_to, (wanted) => {
    const fits = wordGlobs(listed(wanted))
    return ({ pipesTo }) => pipesTo.some(fits)
  })
  add(fields.words, (pattern) => {
    const compiled = expression(pattern)
    return ({ program, args }) => compiled.test([program, ...args].join(' '))
  })
  add(fields.reads, (globs) => touches(pathGlobs(listed(globs)), ({ reads }) => reads, false))
  add(fields.writes, (globs) => touches(pathGlobs(listed(globs)), ({ writes }) => writes, false))
  add(fields.deletes, (globs) => touches(pathGlobs(listed(globs)), ({ deletes }) => deletes, true))
  return checks
}

/** False as soon as one field surely does not fit. */
const fitsRun = async (checks: readonly RunCheck[], run: RunProgram, look: Look): Promise<boolean | null> => {
  let isTold = true
  for (const check of checks) {
    const fits = await check(run, look)
    if (fits === false) return false
    if (fits === null) isTold = false
  }
  return isTold ? true : null
}

const fitAt = async (look: Look, run: RunProgram): Promise<Fit> => {
  const text = await look.text(null)
  const words = [run.program, ...run.args].join(' ')
  return {
    kind: 'fit',
    captures: { program: run.program, subcommand: run.subcommand, words },
    places: text === null ? [] : [placeIn(text, run.span.start, run.span.end)],
  }
}

const untoldFile = (run: RunProgram): Doubt => ({
  kind: 'doubt',
  why: `nobody can tell which files \`${run.program}\` touches here`,
  advice: 'Name the files themselves, without variables and substitutions.',
  isClosed: false,
})

/**
 * One simple command that fits in all fields. What cannot be read at all is a doubt for everybody;
 * what a variable, made-up code or another language may hide is one for guards only.
 */
export const shellCheck = (fields: ShellFields, isGuard: boolean): Check => {
  const checks = checksOf(fields)
  return async (look) => {
    const reading = look.reading()
    if (reading === null) return null
    let untold: RunProgram | null = null
    for (const run of reading.runs) {
      const fits = await fitsRun(checks, run, look)
      if (fits === true) return fitAt(look, run)
      if (fits === null) untold ??= run
    }
    const unread = unreadDoubt(reading)
    if (unread !== null || !isGuard) return unread
    return untold === null ? hiddenDoubt(reading, fields) : untoldFile(untold)
  }
}

/** Names of programs of which one must be run; null where any could fit. */
const programsOf = ({ program }: ShellFields): ReadonlySet<string> | null => {
  const names = program === undefined ? [] : listed(program)
  return names.length === 0 || names.some((name) => /[*?{\\]/.test(name)) ? null : new Set(names)
}

export const shellQuick = (fields: ShellFields): QuickCheck => {
  const programs = programsOf(fields)
  if (programs === null) return () => true
  return (look) => mayRun(look.reading(), programs)
}

const mayRun = (reading: ShellReading | null, programs: ReadonlySet<string>): boolean =>
  reading !== null && (reading.opaque.length > 0 || reading.runs.some(({ program }) => programs.has(program)))
