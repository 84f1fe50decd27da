import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Looks at a directory that is being written to: a file that was renamed meanwhile has another name now, so the look begins again. */
export const whileUnchanged = <T>(look: () => T): T => {
  for (let tries = 1; ; tries += 1) {
    try {
      return look()
    } catch (cause) {
      const isGone = (cause as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || tries === 1000) throw cause
    }
  }
}

/** Every regular file below a directory that a daemon may be writing to, by its path. */
export const readTree = (directory: string): Map<string, Buffer> =>
  whileUnchanged(() => {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name))
    return new Map(paths.map((path) => [path, readFileSync(path)]))
  })

/** The files below a directory in which a text stands. */
export const filesWith = (directory: string, text: string): string[] =>
  [...readTree(directory)].filter(([, content]) => content.includes(text)).map(([path]) => path)
