import { statSync } from 'node:fs'

/** Whether there is certainly nothing at this path: a path that cannot be looked at may exist. */
export const isAbsent = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
