import type { RunProgram } from './reading.ts'
import type { Input } from './setting.ts'
import type { ShellState } from './state.ts'

/** A program that is noted, while more is learned of where its output goes. */
export interface Run extends RunProgram {
  readonly pipesTo: string[]
}

/** Keeps what a line writes to files, because it may run them. */
export function remember(
  { files }: ShellState,
  paths: readonly (string | null)[],
  text: string | null,
  writers: readonly Run[],
  isAppending = false,
): void {
  for (const path of paths) {
    if (path === null) continue
    const before = isAppending ? files.get(path) : undefined
    const whole = before === undefined || text === null || before.text === null ? text : `${before.text}\n${text}`
    files.set(path, { text: whole, writers: [...(before?.writers ?? []), ...writers] })
  }
}

/** Where what was downloaded, printed or copied lies now. */
export function carry(state: ShellState, run: Run, input: Input | null): void {
  const { program, reads, writes, deletes } = run
  if (program === 'tee') remember(state, writes, input?.text ?? null, [run])
  else if (program === 'curl' || program === 'wget') remember(state, writes, null, [run])
  else if (program === 'cp' || program === 'mv' || program === 'install')
    for (const source of [...reads, ...deletes]) copy(state, source, writes)
}

function copy({ files }: ShellState, source: string | null, targets: readonly (string | null)[]): void {
  const file = source === null ? undefined : files.get(source)
  if (file === undefined) return
  for (const to of targets) if (to !== null && to !== source) files.set(to, file)
}
