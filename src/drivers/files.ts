import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'

/** The path with its links resolved, or the path itself where that fails. */
export const realPath = (path: string): string => orNull(() => realpathSync(path)) ?? path

/** The text of a regular file without its byte order mark; null if it cannot be read. */
export const readText = (file: string): string | null =>
  orNull(() => (statSync(file).isFile() ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : null))

/** The sorted names in a directory; none if it cannot be read. */
export const listNames = (directory: string): string[] => orNull(() => readdirSync(directory).toSorted()) ?? []

export const orNull = <T>(look: () => T): T | null => {
  try {
    return look()
  } catch {
    return null
  }
}
