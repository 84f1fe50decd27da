import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The branch that a work tree is on; null where there is none. */
export const branchOf = async (root: string): Promise<string | null> => {
  try {
    const { stdout } = await run('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: root })
    return stdout.trim() || null
  } catch {
    return null
  }
}
