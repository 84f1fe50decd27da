import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The hash of every regular file under a directory, by its path there. Links are not followed. */
export const hashFiles = (root: string): Map<string, string> => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.map((path) => [relative(root, path), hashFile(path)]))
}

const hashFile = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Paths whose content is another one, or which exist on one side only. */
export const changedFiles = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted()

export const writeFiles = (root: string, files: Record<string, string>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}
