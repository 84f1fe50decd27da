import type { ShellLine } from '../../../base/shell/line.ts'
import type { Trail } from './trail.ts'

/** Whether somebody may mean a line that was never run: each changing word stood in that very place of a `known` line of its shape, or is a path of this session. */
export const isPlausible = (line: ShellLine, known: readonly ShellLine[], trail: Trail): boolean =>
  line.slots.every(
    ({ kind, text }, place) =>
      known.some(({ slots }) => slots[place]?.text === text) ||
      (kind === 'path' && trail.words.get(text)?.kind === 'path'),
  ) &&
  (!repeatsWord(line) || known.some(repeatsWord))

const repeatsWord = ({ slots }: ShellLine): boolean => new Set(slots.map(({ text }) => text)).size < slots.length
