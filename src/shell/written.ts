import { normalize } from 'node:path/posix'
import type { RunProgram } from './reading.ts'
import type { Input } from './setting.ts'
import type { ShellState, WrittenFile } from './state.ts'

/** A program that is noted, while more is learned of where its output goes. */
export interface Run extends RunProgram {
  readonly pipesTo: string[]
}

const DOWNLOADERS = new Set(['curl', 'wget'])

/** What the line itself has written to a file, however it names it. */
export const writtenTo = ({ files }: ShellState, path: string | null): WrittenFile | undefined =>
  path === null ? undefined : files.get(normalize(path))

/** Keeps what a line writes to files, because it may run them. */
export function remember(
  state: ShellState,
  paths: readonly (string | null)[],
  text: string | null,
  writers: readonly Run[],
  isAppending = false,
): void {
  for (const path of paths) {
    if (path === null) continue
    const before = isAppending ? writtenTo(state, path) : undefined
    const whole = before === undefined || text === null || before.text === null ? text : `${before.text}\n${text}`
    const isDownload = before?.isDownload === true || writers.some(({ program }) => DOWNLOADERS.has(program))
    state.files.set(normalize(path), { text: whole, isDownload, writers: [...(before?.writers ?? []), ...writers] })
  }
}

/** Where what was downloaded, printed or copied lies now. */
export function carry(state: ShellState, run: Run, input: Input | null): void {
  const { program, reads, writes, deletes } = run
  if (program === 'tee') remember(state, writes, input?.text ?? null, [run])
  else if (DOWNLOADERS.has(program)) remember(state, writes, null, [run])
  else if (program === 'cp' || program === 'mv' || program === 'install')
    for (const source of [...reads, ...deletes]) copy(state, source, writes)
}

function copy(state: ShellState, source: string | null, targets: readonly (string | null)[]): void {
  const file = writtenTo(state, source)
  if (file === undefined) return
  for (const to of targets) if (to !== null && to !== source) state.files.set(normalize(to), file)
}
