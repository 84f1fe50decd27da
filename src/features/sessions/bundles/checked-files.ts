import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import type { Progress } from '../../../contract/routes/route.ts'
import type { Env, Git } from '../snapshots/git.ts'
import { ObjectStore } from '../snapshots/object-store.ts'

import type { Plain } from '../snapshots/plain.ts'
import type { Repository } from '../snapshots/repository.ts'
import { dirMode, programMode } from '../snapshots/tree.ts'
import { noBase, readBase } from './base-tree.ts'
import { type FoundPath, fitting, TreeChecker } from './check-trees.ts'
import { hostile } from './limits.ts'

import type { OpenBundle } from './open-bundle.ts'
import { packTrees, quarantinePack } from './packs.ts'

export interface CheckPorts {
  env: Env
  onProgress: (progress: Progress) => void
}

/** A file, program or link; `isProgram` also by the permissions of any turn, or by its first bytes. */
interface CheckedPath extends FoundPath {
  isProgram: boolean
}

/** The files of a bundle that passed all checks. */
export interface CheckedFiles {
  /** The files of each turn that has any, in order; the last ones are written. */
  plains: {
    label: string
    plain: Plain
    /** Files that neither the base nor an earlier turn has. */
    news: CheckedPath[]
  }[]
  /** All files of the last turn. */
  all: CheckedPath[]
  git: Git | null
}

/** Checks all files in a quarantine. A bundle that builds on a commit needs a `clone` that has it. */
export const checkFiles = async (
  { env, onProgress }: CheckPorts,
  { manifest, pack }: Pick<OpenBundle, 'manifest' | 'pack'>,
  clone: Repository | null,
  quarantine: string,
): Promise<CheckedFiles> => {
  const told = [{ label: '0', files: manifest.start }, ...manifest.turns].flatMap(({ label, files }) =>
    files === null ? [] : [{ label, files }],
  )
  if (pack === null && told.length > 0) throw hostile('it has no pack of its files')
  if (pack === null) return { plains: [], all: [], git: null }
  onProgress({ what: 'looking at the files', done: 0, total: 0 })
  const repository = manifest.base === null ? null : clone
  const { git, shadow } = await quarantinePack(pack, quarantine, repository?.objects ?? null, env)
  const base = repository === null || manifest.base === null ? noBase : await readBase(repository.git, manifest.base)
  const store = new ObjectStore(shadow)
  try {
    const checker = new TreeChecker(store, base)
    const plains: CheckedFiles['plains'] = []
    let all: CheckedPath[] = []
    const runnable = new Set(
      told.flatMap(({ files }) => files.modes.filter(([, mode]) => (mode & 0o111) !== 0).map(([one]) => one)),
    )
    const checked = (one: FoundPath): CheckedPath => ({
      ...one,
      isProgram: one.mode === programMode || runnable.has(one.path) || checker.beginsAsProgram(one.id),
    })
    for (const { label, files } of told) {
      const news = (await checker.check(files.tree)).filter(({ mode }) => mode !== dirMode).map(checked)
      all = (await checker.all(files.tree)).map(checked)
      plains.push({
        label,
        news,
        plain: { ...fitting(files, all), files: files.tree, head: files.head, branch: files.branch },
      })
    }
    return { plains, all, git }
  } catch (cause) {
    throw cause instanceof ReinError ? cause : hostile('a part of its files is missing')
  } finally {
    await store.close()
  }
}

/** Packs all objects that snapshots need, also those that were not in the bundle. */
export const bring = async ({ git }: CheckedFiles, objects: string, plains: readonly Plain[]): Promise<void> => {
  if (git === null) return
  const trees = [...new Set(plains.map(({ files }) => files))]
  await packTrees(git, trees, null, path.join(objects, 'pack'), 'fast')
}
