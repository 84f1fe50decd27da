import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

interface WriteOptions {
  mode?: number
  /** The last word before the new content takes the place of the old: what it throws leaves the old one. */
  beforeRename?: (draft: string) => void
}

/** Readers find the old content or the new one, never a part, also after a power cut. */
export const writeFileAtomic = async (
  file: string,
  data: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  { mode = 0o600, beforeRename }: WriteOptions = {},
): Promise<void> => {
  const dir = path.dirname(file)
  const draft = path.join(dir, `.${path.basename(file)}.${randomUUID()}.tmp`)
  try {
    await writeDurably(draft, data, mode)
    beforeRename?.(draft)
    // At once: nobody else gets a turn in this process after the last word.
    renameSync(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncDir(dir)
}

const writeDurably = async (
  file: string,
  data: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  mode: number,
): Promise<void> => {
  const handle = await open(file, 'wx', mode)
  try {
    // The umask may have taken bits away.
    await handle.chmod(mode)
    await writeFile(handle, data)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is durable only once its directory is. */
const syncDir = async (dir: string): Promise<void> => {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
