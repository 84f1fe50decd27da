import { type Entry, sumRuns } from './entry.ts'
import type { Spelling } from './spelling.ts'

/** The usual form of the same task here. */
export interface Variant {
  readonly command: string
  /** Another program or wrapper, or other flags. */
  readonly kind: 'program' | 'flags'
  /** Runs of the usual form that succeeded, and all with a known result. */
  readonly ok: number
  readonly runs: number
}

const fewestRuns = 3
const usualShare = 0.8
/** Flags for the amount of output, the part to run or whether files are changed: a choice of the moment. */
const momentaryFlag = new RegExp(
  `^(?:-[vqsxwuktnjplf]{1,3}|-(?:run|count|bench|timeout|cover|coverprofile|cpuprofile|parallel|short|list)|--(?:${[
    'verbose|quiet|silent|bail|no-header|color|no-color|progress|no-progress|help|version|watch|list|short|json|debug',
    'tb|reporter|durations|format|maxfail|timeout|fix|write|check|diff|update|force|filter|grep|testNamePattern',
    'output|cov|cov-report|coverage|dry-run|exitfirst|last-failed|lf|failed-first|nocapture|show-output',
  ].join('|')}))(?:=.*)?$`,
)
/** Flags known to take no value. */
const knownSwitches = new Set(
  '-race --race --run --frozen --locked --release --workspace --all --all-features --all-targets --ci --no-daemon --frozen-lockfile --offline --passWithNoTests'.split(
    ' ',
  ),
)

/** Whether a flag says nothing about how a task is done here. */
export const isOfTheMoment = (flag: string): boolean => momentaryFlag.test(flag)

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '--'
const joinOperands = (rest: readonly string[]): string => rest.filter((word) => !isFlag(word)).join(' ')
/** Lasting flags that `some` has and `others` has not. */
const listExtraFlags = (some: readonly string[], others: readonly string[]): readonly string[] =>
  some.filter((word) => isFlag(word) && !isOfTheMoment(word) && !others.includes(word))

const countRuns = (entries: readonly Entry[]): { ok: number; runs: number } => {
  const tallies = entries.map(sumRuns)
  const ok = tallies.reduce((count, tally) => count + tally.ok + tally.piped, 0)
  return { ok, runs: tallies.reduce((count, { failed }) => count + failed, ok) }
}
const countOk = (entries: readonly Entry[]): number => countRuns(entries).ok
const isUsual = (count: number, of: number): boolean => count >= fewestRuns && count >= usualShare * of

/** Another form of the task, if that is the one that works here. */
export const findVariant = (own: Spelling, sameTask: readonly Entry[]): Variant | null => {
  const sameHead = sameTask.filter(({ head }) => head === own.head)
  // Another program: never run with success like this, always like that.
  for (const head of countOk(sameHead) > 0 ? [] : new Set(sameTask.map((entry) => entry.head))) {
    const such = sameTask.filter((entry) => entry.head === head)
    const { ok, runs } = countRuns(such)
    if (head !== own.head && isUsual(ok, countOk(sameTask)) && isUsual(ok, runs))
      return { command: [head, ...own.rest].join(' '), kind: 'program', ok, runs }
  }
  // The flags after `go run x` belong to x.
  if (own.task?.purpose === 'run') return null
  // Other flags with the same operands.
  const alike = sameHead.filter(({ rest }) => joinOperands(rest) === joinOperands(own.rest))
  const usual = alike.find((entry) => isUsual(countOk([entry]), countOk(alike)))
  if (
    usual !== undefined &&
    listExtraFlags(own.rest, usual.rest).length === 0 &&
    listExtraFlags(usual.rest, own.rest).length > 0
  )
    return { command: usual.text, kind: 'flags', ...countRuns([usual]) }
  // Switches that are always there, whatever the operands.
  const flags = new Set(sameHead.flatMap(({ rest }) => listExtraFlags(rest, own.rest)))
  const missing = [...flags].filter((flag) => {
    const having = sameHead.filter(({ rest }) => rest.includes(flag))
    return isUsual(countOk(having), countOk(sameHead)) && isSwitch(flag, having)
  })
  if (missing.length === 0) return null
  const having = sameHead.filter(({ rest }) => missing.every((flag) => rest.includes(flag)))
  const known = having.flatMap(({ rest }) => rest)
  if (countOk(having) < fewestRuns || listExtraFlags(own.rest, known).length > 0) return null
  return { command: [own.head, ...missing, ...own.rest].join(' '), kind: 'flags', ...countRuns(having) }
}

/** A flag that was the last word, or stood before another flag, takes no value. */
const isSwitch = (flag: string, entries: readonly Entry[]): boolean =>
  knownSwitches.has(flag) ||
  flag.includes('=') ||
  entries.some(({ rest }) => {
    const next = rest[rest.indexOf(flag) + 1]
    return next === undefined || isFlag(next)
  })
