import type { PathText } from './path-text.ts'
import { fileMode, programMode } from './tree.ts'

/** The permissions that new files, programs and directories have here: what the user's umask leaves of them. */
export interface UsualModes {
  file: number
  program: number
  dir: number
}

/** Permissions that are not the usual ones, by path; a directory ends with a slash. */
export type OddModes = ReadonlyMap<PathText, number>

export const permissionBits = 0o7777
const ownerMayRun = 0o100

export const isProgram = (mode: number): boolean => (mode & ownerMayRun) !== 0

/** Who may read may run. */
const runnable = (mode: number): number => mode | ((mode & 0o444) >> 2)

/** Told by the majority of what lies at the top of the tree. */
export const usualModesOf = (found: readonly { isFile: boolean; mode: number }[]): UsualModes => {
  const bits = (isFile: boolean): number[] =>
    found.filter((one) => one.isFile === isFile).map(({ mode }) => mode & permissionBits)
  const file = mostFrequent(bits(true).filter((mode) => !isProgram(mode))) ?? 0o644
  return { file, program: runnable(file), dir: mostFrequent(bits(false)) ?? runnable(file) }
}

const mostFrequent = (values: readonly number[]): number | undefined => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

export const usualMode = (usual: UsualModes, gitMode: string): number =>
  gitMode === programMode ? usual.program : usual.file

/** What has to be remembered of a file's permissions; null if the usual ones say it all. */
export const oddMode = (usual: UsualModes, kind: 'file' | 'dir', mode: number): number | null => {
  const bits = mode & permissionBits
  const expected = kind === 'dir' ? usual.dir : isProgram(mode) ? usual.program : usual.file
  return bits === expected ? null : bits
}

export const gitModeOf = (mode: number): string => (isProgram(mode) ? programMode : fileMode)
