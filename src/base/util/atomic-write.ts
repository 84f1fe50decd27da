import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

interface WriteOptions {
  mode?: number
  /** The last check before the new content replaces the old: if it throws, the old one stays. */
  beforeRename?: (draft: string) => void
}

/** Readers see the old content or the new one, never a part, also after a power cut. */
export const writeFileAtomic = async (
  file: string,
  data: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  { mode = 0o600, beforeRename }: WriteOptions = {},
): Promise<void> => {
  const dir = path.dirname(file)
  const draft = path.join(dir, `.${path.basename(file)}.${randomUUID()}.tmp`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      // The umask may have taken bits away.
      await handle.chmod(mode)
      await writeFile(handle, data)
      await handle.sync()
    } finally {
      await handle.close()
    }
    beforeRename?.(draft)
    // Synchronous, so that nothing in this process runs after the check.
    renameSync(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  // A rename is durable only once its directory is.
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
