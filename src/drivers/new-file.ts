import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ReinError } from '../contract/errors.ts'
import { writeFileAtomic } from '../util/atomic-write.ts'

/** Whole or not at all, with the permissions of the file that it was made of; what is there already stays. */
export const writeNew = async (path: string, lines: readonly string[], mode: number): Promise<void> => {
  refuseExisting(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const content = lines.map((line) => `${line}\n`).join('')
  await writeFileAtomic(path, content, { mode: mode & 0o777, beforeRename: () => refuseExisting(path) })
}

export const refuseExisting = (path: string): void => {
  if (existsSync(path)) throw new ReinError('refused', `There is a conversation already: ${path}.`)
}
