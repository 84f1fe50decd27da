import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PrivateFile } from '../../contract/host.ts'

/** Puts an agent's own files into its private directory; what was there from an earlier start is replaced. */
export const writePrivateFiles = (files: readonly PrivateFile[]): void => {
  for (const file of files) {
    mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 })
    remove(file.path)
    if ('linkTo' in file) symlinkSync(file.linkTo, file.path)
    else writeFileSync(file.path, file.content, { mode: 0o600 })
  }
}

/** First removed, never written through: it may be a link into the user's own files. */
const remove = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}
