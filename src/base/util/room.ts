import { statfsSync } from 'node:fs'

/** Whether the disk of this directory has free space; true where that is unknown. */
export const hasRoom = (dir: string): boolean => {
  try {
    return statfsSync(dir).bavail > 0
  } catch {
    return true
  }
}
