import { type Entry, total, wellEnded } from './entry.ts'
import type { Spelling } from './spelling.ts'

/** How the same thing is done here usually. */
export interface Variant {
  readonly command: string
  /** Another program or wrapper, or other flags. */
  readonly kind: 'program' | 'flags'
  /** Runs of the usual form that ended well, and all of it whose end is known. */
  readonly ok: number
  readonly runs: number
}

const FEWEST = 3
const USUAL = 0.8
/** Flags that say how much is shown, which part is run or whether files are changed: a choice of the moment. */
const TASTE = new RegExp(
  `^(?:-[vqsxwuktnjplf]{1,3}|-(?:run|count|bench|timeout|cover|coverprofile|cpuprofile|parallel|short|list)|--(?:${[
    'verbose|quiet|silent|bail|no-header|color|no-color|progress|no-progress|help|version|watch|list|short|json|debug',
    'tb|reporter|durations|format|maxfail|timeout|fix|write|check|diff|update|force|filter|grep|testNamePattern',
    'output|cov|cov-report|coverage|dry-run|exitfirst|last-failed|lf|failed-first|nocapture|show-output',
  ].join('|')}))(?:=.*)?$`,
)
/** Flags without a value of their own, known as such. */
const SWITCHES = new Set(
  '-race --race --run --frozen --locked --release --workspace --all --all-features --all-targets --ci --no-daemon --frozen-lockfile --offline --passWithNoTests'.split(
    ' ',
  ),
)

/** Of all that is known of the same task: another form, if that is what works here. */
export function variantOf(own: Spelling, sameTask: readonly Entry[]): Variant | null {
  const program = otherProgram(own, sameTask)
  // The flags after `go run x` are those of x.
  if (program !== null || own.task?.purpose === 'run') return program
  return otherFlags(own, sameTask) ?? missingSwitches(own, sameTask)
}

const sum = (entries: readonly Entry[]): number => entries.reduce((count, entry) => count + wellEnded(entry), 0)
const evidence = (entries: readonly Entry[]): { ok: number; runs: number } => ({
  ok: sum(entries),
  runs: sum(entries) + entries.reduce((count, entry) => count + total(entry).failed, 0),
})
const isUsual = (count: number, of: number): boolean => count >= FEWEST && count >= USUAL * of

/** Never run with success like this, always like that. */
function otherProgram(own: Spelling, sameTask: readonly Entry[]): Variant | null {
  if (sum(sameTask.filter(({ head }) => head === own.head)) > 0) return null
  const all = sum(sameTask)
  for (const head of new Set(sameTask.map((entry) => entry.head))) {
    const such = sameTask.filter((entry) => entry.head === head)
    if (head !== own.head && isUsual(sum(such), all) && isUsual(sum(such), evidence(such).runs))
      return { command: [head, ...own.rest].join(' '), kind: 'program', ...evidence(such) }
  }
  return null
}

/** A flag that says nothing of how a thing is done here. */
export const isOfTheMoment = (flag: string): boolean => TASTE.test(flag)

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '--'
const operands = (rest: readonly string[]): string => rest.filter((word) => !isFlag(word)).join(' ')
/** Flags that `some` has and `others` has not, but for matters of taste. */
const beyond = (some: readonly string[], others: readonly string[]): readonly string[] =>
  some.filter((word) => isFlag(word) && !isOfTheMoment(word) && !others.includes(word))

/** The very same with other flags. */
function otherFlags(own: Spelling, sameTask: readonly Entry[]): Variant | null {
  const alike = sameTask.filter(({ head, rest }) => head === own.head && operands(rest) === operands(own.rest))
  const usual = alike.find((entry) => isUsual(wellEnded(entry), sum(alike)))
  if (usual === undefined || beyond(own.rest, usual.rest).length > 0) return null
  if (beyond(usual.rest, own.rest).length === 0) return null
  return { command: usual.text, kind: 'flags', ...evidence([usual]) }
}

/** Whatever it is run on, these flags are always there. */
function missingSwitches(own: Spelling, sameTask: readonly Entry[]): Variant | null {
  const such = sameTask.filter(({ head }) => head === own.head)
  const flags = new Set(such.flatMap(({ rest }) => beyond(rest, own.rest)))
  const missing = [...flags].filter((flag) => {
    const having = such.filter(({ rest }) => rest.includes(flag))
    return isUsual(sum(having), sum(such)) && isSwitch(flag, having)
  })
  if (missing.length === 0) return null
  const having = such.filter(({ rest }) => missing.every((flag) => rest.includes(flag)))
  const known = having.flatMap(({ rest }) => rest)
  if (sum(having) < FEWEST || beyond(own.rest, known).length > 0) return null
  return { command: [own.head, ...missing, ...own.rest].join(' '), kind: 'flags', ...evidence(having) }
}

/** A flag that has been the last word, or stood before another flag, takes no value. */
const isSwitch = (flag: string, entries: readonly Entry[]): boolean =>
  SWITCHES.has(flag) ||
  flag.includes('=') ||
  entries.some(({ rest }) => {
    const next = rest[rest.indexOf(flag) + 1]
    return next === undefined || isFlag(next)
  })
