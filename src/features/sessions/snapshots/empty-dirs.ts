import { lstat, readdir, rmdir } from 'node:fs/promises'
import { codeOf } from './errors.ts'

/** Removes a directory that contains only directories. Anything else in it stays, with the directories around it. */
export const removeEmptyDirs = async (dir: Buffer): Promise<void> => {
  const found = await lstat(dir).catch(() => null)
  if (found?.isDirectory() !== true) return
  for (const name of await readdir(dir, { encoding: 'buffer' }))
    await removeEmptyDirs(Buffer.concat([dir, Buffer.from('/'), name]))
  await rmdir(dir).catch((cause: unknown) => {
    if (codeOf(cause) !== 'ENOTEMPTY') throw cause
  })
}
