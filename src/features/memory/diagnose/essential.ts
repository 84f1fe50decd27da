interface LineRule {
  readonly pattern: RegExp
  /** Of several such lines: the first is the cause of the others, but a traceback ends with its cause. */
  readonly take: 'first' | 'last'
}

const first = (pattern: RegExp): LineRule => ({ pattern, take: 'first' })
const last = (pattern: RegExp): LineRule => ({ pattern, take: 'last' })

/** What a wrapper says after the program in it has failed, and what is said of all that went well. */
const ASIDE = [
  /^make(?:\[\d+\])?: \*\*\* \[/,
  /^npm (?:ERR!|error) (?:Lifecycle|Exit status|A complete log|command|path|errno|Test failed)/,
  /^error Command failed|\bELIFECYCLE\b|^error: script ".*" exited|^Error: Process completed|^exit status \d+$/,
  /^\[[\w:-]+\] ERROR task failed|^\[[\w:-]+\] Finished in /,
  /^FAIL$|^PASS$|^ok\s+\t|^\?\s+\t|^=== (?:RUN|PAUSE|CONT)|^\S+\.go:\d+: : # /,
]

/** Best first: lines of known tools, then those that sound like an error. */
const RULES: readonly LineRule[] = [
  first(/\berror (?:TS|CS|FS|MSB|NU|NETSDK)\d+\b/),
  first(/^error(?:\[E\d+\])?: (?!could not compile|aborting|process didn't|test failed)/),
  first(/^CONFLICT |^ ! \[(?:remote )?rejected\]/),
  first(/:\d+(?::\d+)?: (?:fatal )?error: |: undefined reference to |cannot find -l|^ld: /),
  first(/^fatal: |^remote: (?:error|fatal): /),
  first(/^npm (?:ERR!|error) code |\bERR_PNPM_\w+|\bYN\d{4}: .*(?:Error|error|lockfile)/),
  first(/^panic: |^fatal error: |^thread '.*' panicked/),
  first(/^\S+\.go:\d+:\d+: /),
  first(/^E {2,}\S/),
  last(/^(?:Uncaught |Caused by: )?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)(?: \[\w+\])?(?::|$)/),
  first(/^[ \t]*--- FAIL: |^FAILED \S|^[ \t]*[●✕×✗] \S|^not ok \d/),
  first(/Error response from daemon|failed to solve|Cannot connect to the Docker daemon/),
  first(/^(?:Execution failed for task|A problem occurred|Could not (?:resolve|determine))|^\[ERROR\] \S/),
  first(/command not found|: not found$|No such file or directory|Permission denied|permission denied/),
  first(/^[ \t]+\d+:\d+\s+error\s|^\S+:\d+:\d+:? \S/),
  first(/^[ \t]*\[?(?:fatal|error|critical)\]?\b[:!]? ?\S/i),
  first(
    /\b(?:error|failed|failure|cannot|can't|could not|unable to|not found|denied|refused|invalid|unknown|unexpected)\b/i,
  ),
]

/** The one line that says what went wrong; empty if nothing was printed. */
export function essentialLine(plain: string): string {
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const own = lines.filter((line) => !ASIDE.some((pattern) => pattern.test(line)))
  for (const { pattern, take } of RULES) {
    const found = take === 'first' ? own.find((line) => pattern.test(line)) : own.findLast((line) => pattern.test(line))
    if (found !== undefined) return found.trim()
  }
  return (own.at(-1) ?? lines.at(-1) ?? '').trim()
}
