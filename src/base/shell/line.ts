import { flatten, type Piece, type SimpleCommand } from './flatten.ts'
import { normalise } from './normalise.ts'
import { baseName, isSubcommand, programIndex } from './programs.ts'
import { slotOf } from './slots.ts'
import { type FilledSlot, render, trimmed } from './template.ts'

/** What is known of one command line without running it. */
export interface ShellLine {
  /** The same for all spellings of the line. */
  readonly text: string
  /** The line with slots for what changes from call to call. */
  readonly template: string
  /** Program and subcommand of what it is about: `go test`, `git push`, `ls`. */
  readonly stub: string
  readonly program: string
  readonly flags: readonly string[]
  readonly slots: readonly FilledSlot[]
}

/** Reads any text as a command line; never throws. */
export function readLine(source: string): ShellLine {
  const pieces = flatten(source)
  const main = mainCommand(trimmed(pieces))
  const words = main?.words.map(({ text }) => text) ?? []
  const own = words.slice(programIndex(words))
  const program = baseName(own[0] ?? '')
  return {
    ...render(pieces),
    text: normalise(source),
    program,
    stub: stubOf(program, own),
    flags: own.slice(1).filter((word) => word.startsWith('-')),
  }
}

const mainCommand = (pieces: readonly Piece[]): SimpleCommand | undefined => {
  for (const piece of pieces) if ('command' in piece && piece.command.words.length > 0) return piece.command
  return undefined
}

function stubOf(program: string, words: readonly string[]): string {
  const at = program === 'git' && words[1] === '-C' ? 3 : 1
  const word = words.slice(at).find((candidate) => !candidate.startsWith('-') && slotOf(candidate)?.kind !== 'value')
  const isAction = word !== undefined && slotOf(word) === undefined && isSubcommand(program, 1, word, '')
  return isAction ? `${program} ${word}` : program
}
