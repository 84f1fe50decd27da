/** The beginning and the end of an output tell why a command failed; the middle of a long one is left out. */
const headLength = 6_000
const tailLength = 10_000
const longestLine = 500

/** The name of a passed test may sound like an error. */
const passedTest = /^\s*(?:[✓✔√] |--- PASS: |\(pass\) |ok \d+ )/
/** A runner of several tasks puts the name of the task before each line: `[lint:go] main.go:1:2: …`. */
const taskPrefix = /^\[[a-z][\w-]*(?::[\w-]+)+\] (?!ERROR)/
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][0-9A-Z]|[@-Z\\^_])/g
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Output as a person saw it in the end: no colours, no overwritten progress, of bounded length. */
export const plainOutput = (output: string): string => {
  const both =
    output.length > headLength + tailLength ? `${output.slice(0, headLength)}\n${output.slice(-tailLength)}` : output
  return both
    .replaceAll(escapeSequence, '')
    .split('\n')
    .map((line) => {
      // A carriage return starts the line again; one before a line feed is only a line end.
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line
      const written = whole.slice(whole.lastIndexOf('\r') + 1)
      return written.slice(0, longestLine).replaceAll(unsafe, '').replace(taskPrefix, '').trimEnd()
    })
    .filter((line) => !passedTest.test(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

/** Foreign text as one line without control characters, not longer than `limit`. */
export const oneLine = (text: string, limit: number): string => {
  const line = text
    .slice(0, limit * 4)
    .replaceAll(escapeSequence, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(unsafe, '')
    .trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
