/** What a command says first and last is enough to know why it failed; the middle of a long output is left out. */
const HEAD = 6_000
const TAIL = 10_000
const LONGEST_LINE = 500

/** What a test that went well is called says nothing, though it may sound like an error. */
const PASSED = /^\s*(?:[✓✔√] |--- PASS: |\(pass\) |ok \d+ )/
/** A runner of several tasks puts the name of the task before each line: `[lint:go] main.go:1:2: …`. */
const TASK = /^\[[a-z][\w-]*(?::[\w-]+)+\] (?!ERROR)/
const ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][0-9A-Z]|[@-Z\\^_])/g
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Output as a person saw it in the end: no colours, no overwritten progress, of bounded length. */
export function plainOutput(output: string): string {
  const both = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}` : output
  return both
    .replaceAll(ESCAPE, '')
    .split('\n')
    .map((line) => plainLine(lastWritten(line)))
    .filter((line) => !PASSED.test(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

const plainLine = (line: string): string =>
  line.slice(0, LONGEST_LINE).replaceAll(UNSAFE, '').replace(TASK, '').trimEnd()

/** A carriage return begins the line anew; the one before a line feed is only a line end. */
const lastWritten = (line: string): string => {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  return whole.slice(whole.lastIndexOf('\r') + 1)
}

/** Text from elsewhere on one line that nothing obeys, not longer than `limit`. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replaceAll(ESCAPE, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSAFE, '')
    .trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
