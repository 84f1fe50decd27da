import { statfsSync } from 'node:fs'

/** Whether there is room for more on the disk of this directory; also where nobody can tell. */
export const hasRoom = (dir: string): boolean => {
  try {
    return statfsSync(dir).bavail > 0
  } catch {
    return true
  }
}
