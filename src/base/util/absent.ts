import { statSync } from 'node:fs'

/** Whether there is surely nothing at this path: what cannot be looked at may well be there. */
export const isAbsent = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
