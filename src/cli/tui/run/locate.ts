import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { editsOf } from '../../../contract/tool-edits.ts'
import type { Lines } from './blocks.ts'

const largest = 2 ** 21

/** Finds the line where each edit begins, before or after it was made; null: unknown. */
export const locate = async (input: Record<string, unknown>, cwd: string): Promise<Lines> =>
  Promise.all(
    editsOf(input).map(async ({ file, before, after }) => {
      const path = resolve(cwd, file)
      const found = await stat(path).catch(() => null)
      // Reading a pipe would never end.
      const isReadable = found !== null && found.isFile() && found.size <= largest
      const text = isReadable ? await readFile(path, 'utf8').catch(() => '') : ''
      const at = [before, after].map((part) => (part === '' ? -1 : text.indexOf(part))).find((index) => index >= 0)
      return at === undefined ? null : text.slice(0, at).split('\n').length
    }),
  )
