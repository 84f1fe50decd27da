import { existsSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ReinError } from '../contract/errors.ts'
import { writeFileAtomic } from '../base/util/atomic-write.ts'

interface SourceFile {
  lines: string[]
  mode: number
}

export const readSource = async (path: string): Promise<SourceFile> => {
  try {
    const [text, { mode }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return { lines: text.split('\n'), mode: mode & 0o777 }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new ReinError('not_found', `The transcript of the conversation is gone: ${path}.`)
  }
}

/** Whole or not at all; what is there already stays. */
export const writeNew = async (path: string, lines: readonly string[], mode: number): Promise<void> => {
  refuseExisting(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const content = lines.map((line) => `${line}\n`).join('')
  await writeFileAtomic(path, content, { mode, beforeRename: () => refuseExisting(path) })
}

export const refuseExisting = (path: string): void => {
  if (existsSync(path)) throw new ReinError('refused', `There is a conversation already: ${path}.`)
}
