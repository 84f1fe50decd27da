import { expect } from 'vitest'
import { type ScreenOf, shellOnScreen } from './screen.ts'

/** A command that stands where a hint does: at the beginning of a line, after a colon, or after a gap. It ends at a gap, or with its sentence. */
const hint = /(?:^|: | {2,}|`)((?:rein|npm) [^`]*?)(?= {2,}|`|\. |\.?$)/gm
/** A word that stands for others. */
const placeholder = /\b[A-Z]{3,}\b/
/** What was said to the agent, not to a person. */
const toldAgent = /^ *✉/
const otherCli = /^npm install -g /

export const hintsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !toldAgent.test(line))
    .flatMap((line) => [...line.matchAll(hint)].map(([, command = '']) => command.trim()))
    .filter((command) => !placeholder.test(command))

/** A person in front of a small terminal who reads what Rein prints, and types the hints in it as they stand. */
export class Newcomer {
  readonly #place: { cwd: string; env: Record<string, string> }
  readonly #read = new Set<string>()
  readonly #typed = new Set<string>()

  constructor(place: { cwd: string; env: Record<string, string> }) {
    this.#place = place
  }

  /** The hint that was printed like this, as it was printed. */
  hint(like: RegExp): string {
    const found = [...this.#read].find((one) => like.test(one))
    expect(found, `a hint like ${like} among: ${[...this.#read].join(' | ')}`).toBeDefined()
    return found ?? ''
  }

  /** Types a command, and reads what it has printed when it has ended. */
  async type(line: string, code = 0): Promise<string> {
    return this.read(line, this.open(line), code)
  }

  /** Types a command that shows something until it is told to end. */
  open(line: string): ScreenOf {
    this.#typed.add(line)
    return shellOnScreen(['-c', line], { ...this.#place, columns: 80, rows: 24 })
  }

  /** `code`: with which it has to end; null where either may be. */
  async read(line: string, screen: ScreenOf, code: number | null = 0): Promise<string> {
    const ended = await screen.ended
    const text = screen.text()
    if (code !== null) expect(ended, `${line}\n${text}`).toBe(code)
    // npm has hints of its own.
    if (line.startsWith('rein')) for (const one of hintsIn(text)) this.#read.add(one)
    return text
  }

  /** The packages of other CLIs that Rein told to install. */
  get offered(): string[] {
    return [...this.#read].filter((one) => otherCli.test(one)).map((one) => one.replace(otherCli, ''))
  }

  /** What Rein told to type that was not typed. */
  get left(): string[] {
    return [...this.#read].filter((one) => !otherCli.test(one) && !this.#typed.has(one))
  }
}
