import type { ShellLine } from '../../../base/shell/line.ts'
import { oneLine, plainOutput } from './plain.ts'

/** A command that did not succeed, with its output. */
export interface Failure {
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  /** Both streams, or as much of them as is known. */
  readonly output: string
}

/** The same for the same error, whenever and wherever it happens. */
export interface ErrorSignature {
  readonly key: string
  /** Program and subcommand that failed. */
  readonly stub: string
  readonly exit: number | null
  /** The printed error, fit to be shown. */
  readonly line: string
}

const longestStub = 60
const longestLine = 200
const longestBlurred = 160

export const signatureOf = ({ output, exit }: Failure, line: Pick<ShellLine, 'stub'>): ErrorSignature => {
  const error = oneLine(essentialLine(plainOutput(output)), longestLine)
  const stub = oneLine(line.stub, longestStub)
  return { key: `${stub} | ${exit ?? '?'} | ${blurLine(error)}`, stub, exit, line: error }
}

/** A traceback ends with its cause: of several such lines the last one counts. */
const exceptionLine =
  /^(?:Uncaught |Caused by: )?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)(?: \[\w+\])?(?::|$)/

/** Lines of wrappers around the program that failed, and of steps that succeeded. */
const asides = [
  /^make(?:\[\d+\])?: \*\*\* \[/,
  /^npm (?:ERR!|error) (?:Lifecycle|Exit status|A complete log|command|path|errno|Test failed)/,
  /^error Command failed|\bELIFECYCLE\b|^error: script ".*" exited|^Error: Process completed|^exit status \d+$/,
  /^\[[\w:-]+\] ERROR task failed|^\[[\w:-]+\] Finished in /,
  /^FAIL$|^PASS$|^ok\s+\t|^\?\s+\t|^=== (?:RUN|PAUSE|CONT)|^\S+\.go:\d+: : # /,
]

/** Best first: lines of known tools, then those that sound like an error. */
const errorLines: readonly RegExp[] = [
  /\berror (?:TS|CS|FS|MSB|NU|NETSDK)\d+\b/,
  /^error(?:\[E\d+\])?: (?!could not compile|aborting|process didn't|test failed)/,
  /^CONFLICT |^ ! \[(?:remote )?rejected\]/,
  /:\d+(?::\d+)?: (?:fatal )?error: |: undefined reference to |cannot find -l|^ld: /,
  /^fatal: |^remote: (?:error|fatal): /,
  /^npm (?:ERR!|error) code |\bERR_PNPM_\w+|\bYN\d{4}: .*(?:Error|error|lockfile)/,
  /^panic: |^fatal error: |^thread '.*' panicked/,
  /^\S+\.go:\d+:\d+: /,
  /^E {2,}\S/,
  exceptionLine,
  /^[ \t]*--- FAIL: |^FAILED \S|^[ \t]*[●✕×✗] \S|^not ok \d/,
  /Error response from daemon|failed to solve|Cannot connect to the Docker daemon/,
  /^(?:Execution failed for task|A problem occurred|Could not (?:resolve|determine))|^\[ERROR\] \S/,
  /command not found|: not found$|No such file or directory|Permission denied|permission denied/,
  /^[ \t]+\d+:\d+\s+error\s|^\S+:\d+:\d+:? \S/,
  /^[ \t]*\[?(?:fatal|error|critical)\]?\b[:!]? ?\S/i,
  /\b(?:error|failed|failure|cannot|can't|could not|unable to|not found|denied|refused|invalid|unknown|unexpected)\b/i,
]

/** The line that names the error; empty if nothing was printed. */
export const essentialLine = (plain: string): string => {
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const own = lines.filter((line) => !asides.some((pattern) => pattern.test(line)))
  for (const pattern of errorLines) {
    const matches = (line: string): boolean => pattern.test(line)
    const found = pattern === exceptionLine ? own.findLast(matches) : own.find(matches)
    if (found !== undefined) return found.trim()
  }
  return (own.at(-1) ?? lines.at(-1) ?? '').trim()
}

const extensions =
  'py|pyc|pyi|ipynb|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|rs|c|h|cc|cpp|hpp|java|kt|cs|rb|php|swift|sh|json|jsonl|yaml|yml|toml|md|txt|lock|log|sql|html|css|so|dll|o|a'
/** Parts that differ from run to run although the error is the same; the order counts. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"`)>\]]+/gi, '<url>'],
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|s|sec|secs|seconds?|min|minutes?)\b/g, '<time>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<hex>'],
  [/(?:\b[A-Za-z]:)?[\w.@~+-]*(?:[\\/][\w.@~+*-]+)+[\\/]?(?::\d+){0,2}/g, '<path>'],
  [new RegExp(`\\b[\\w.-]+\\.(?:${extensions})\\b(?::\\d+){0,2}`, 'g'), '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g, '<hex>'],
  [/\b\d+(?:[.,]\d+)*\b/g, '<n>'],
]
const quoted = /(?<![A-Za-z])'([^']*)'|"([^"]*)"|`([^`']*)[`']|‘([^’]*)’|“([^”]*)”/g
const plainName = /^(?:<\w+>|[A-Za-z_@$][\w.@$-]{0,40})$/

/** A line of output without the parts that change. Names stay, even in quotes: they tell errors apart. */
const blurLine = (line: string): string =>
  changing
    .reduce((text, [pattern, mark]) => text.replaceAll(pattern, mark), line)
    .replaceAll(quoted, (_all, ...groups: unknown[]) => {
      const inside = groups.slice(0, 5).find((group): group is string => typeof group === 'string') ?? ''
      return plainName.test(inside) ? inside : '<text>'
    })
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestBlurred)
