import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readTree } from '../support/live-tree.ts'

/** The hash of every regular file under a directory, by its path there. Links are not followed. */
export const hashFiles = (root: string): Map<string, string> =>
  new Map([...readTree(root)].map(([path, content]) => [relative(root, path), hash(content)]))

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Paths whose content is another one, or which exist on one side only. */
export const changedFiles = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted()

export const writeFiles = (root: string, files: Record<string, string>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}
