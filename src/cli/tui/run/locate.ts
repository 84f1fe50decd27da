import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Lines } from './blocks.ts'
import { type Edit, editsOf } from './tool-text.ts'

const largest = 2 ** 21

/** Where in its file each edit begins, before or after it was made; null where nobody knows. */
export const locate = async (input: Record<string, unknown>, cwd: string): Promise<Lines> =>
  Promise.all(editsOf(input).map((edit) => lineOf(edit, cwd)))

const lineOf = async ({ file, before, after }: Edit, cwd: string): Promise<number | null> => {
  const text = await textOf(resolve(cwd, file)).catch(() => '')
  const at = [before, after].map((part) => (part === '' ? -1 : text.indexOf(part))).find((found) => found >= 0)
  return at === undefined ? null : text.slice(0, at).split('\n').length
}

/** A pipe would never end. */
const textOf = async (path: string): Promise<string> => {
  const found = await stat(path)
  return found.isFile() && found.size <= largest ? readFile(path, 'utf8') : ''
}
