import { fileMode, programMode } from './tree.ts'

/** The permissions of new files, programs and directories here, after the user's umask. */
export interface UsualModes {
  file: number
  program: number
  dir: number
}

export const permissionBits = 0o7777
const ownerMayRun = 0o100

export const isProgram = (mode: number): boolean => (mode & ownerMayRun) !== 0

/** Adds the execute bit wherever there is a read bit. */
const runnable = (mode: number): number => mode | ((mode & 0o444) >> 2)

/** Decided by the majority at the top of the tree. */
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

/** The permissions to remember; null if they are the usual ones. */
export const oddMode = (usual: UsualModes, kind: 'file' | 'dir', mode: number): number | null => {
  const bits = mode & permissionBits
  const expected = kind === 'dir' ? usual.dir : isProgram(mode) ? usual.program : usual.file
  return bits === expected ? null : bits
}

export const gitModeOf = (mode: number): string => (isProgram(mode) ? programMode : fileMode)
