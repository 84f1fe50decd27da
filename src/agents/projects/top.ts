import { realpath } from 'node:fs/promises'
import { ReinError } from '../../contract/errors.ts'
import { workTree } from '../../base/util/work-tree.ts'

/** The top of the work tree that a directory is in; the directory itself where there is no repository. */
export const findTop = async (cwd: string): Promise<string> => {
  const real = await realpath(cwd).catch(() => {
    throw new ReinError('not_found', `There is no directory ${cwd}.`)
  })
  return workTree(real)?.root ?? real
}
