import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { branchOf, isTreeOf } from './names.ts'

const run = promisify(execFile)
const limitMs = 60_000

export interface Tree {
  path: string
  branch: string
}

/** Where a work tree of this name is, or would be: beside the repository, unless a place is set. */
export const treeFor = async (root: string, name: string, place: string | null): Promise<Tree> => {
  const common = await commonDir(root)
  // The main work tree, also when this is another one.
  const home = basename(common) === '.git' ? dirname(common) : root
  const parent = resolve(dirname(home), place ?? `${basename(home)}-worktrees`)
  mkdirSync(parent, { recursive: true })
  // As git names it, without links on the way.
  return { path: join(realpathSync(parent), name), branch: branchOf(name) }
}

/** Only a repository with a commit can have work trees. */
export const checkRepository = async (root: string): Promise<void> => {
  await commonDir(root)
  if ((await ask(root, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')) === null)
    throw new ReinError(
      'refused',
      `${root} has no commit yet: a work tree would have nothing to begin with.`,
      'Commit something first: git commit --allow-empty -m "Begin"',
    )
}

const commonDir = async (root: string): Promise<string> => {
  const common = await ask(root, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  if (common !== null) return common
  throw new ReinError(
    'refused',
    `${root} is in no git repository: it has no work trees.`,
    'Run git init and commit, or leave out --worktree.',
  )
}

/** The work tree on its branch; creates it if it is missing or was deleted. */
export const makeTree = async (root: string, { path, branch }: Tree): Promise<void> => {
  await checkRepository(root)
  const isKnown = (await treesOf(root)).some((one) => one.path === path)
  // Whatever branch its agent has gone to there.
  if (isKnown && !isTakenAway(path)) return
  if (isKnown) await git(root, 'worktree', 'remove', path)
  const hasBranch = (await ask(root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== null
  await git(root, 'worktree', 'add', ...(hasBranch ? [path, branch] : ['-b', branch, path]))
}

/** All work trees with the name of a task. */
export const treesNamed = async (root: string, task: string, place: string | null): Promise<Tree[]> => {
  const trees = await treesOf(root)
  const { path } = await treeFor(root, task, place)
  return trees.flatMap(({ path: own, branch }) => {
    const isOwn = dirname(own) === dirname(path) && isTreeOf(task, basename(own)) && branch === branchOf(basename(own))
    return isOwn ? [{ path: own, branch }] : []
  })
}

/** Removes it and its branch if nothing is lost by that; why not, else. Forced, only commits are kept. */
export const removeTree = async (root: string, tree: Tree, isForced: boolean): Promise<string | null> => {
  const { path, branch } = tree
  try {
    const [, ...others] = await treesOf(root)
    const known = others.find((one) => one.path === path && path !== root)
    if (known === undefined) return existsSync(path) ? `${path} is no work tree of this repository any more.` : null
    const reason = isTakenAway(path) ? null : await whyKept(root, tree, known.branch, isForced)
    if (reason !== null) return reason
    await git(root, 'worktree', 'remove', ...(isForced ? ['--force'] : []), path)
    // A branch with commits that are nowhere else stays.
    await ask(root, 'branch', '-d', branch)
    return null
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Commits that no branch names would be lost even to those who force it. */
const whyKept = async (root: string, tree: Tree, now: string | null, isForced: boolean): Promise<string | null> => {
  if (now === null) return `${tree.path} is on no branch: git switch ${tree.branch}`
  if (isForced) return null
  return now === tree.branch ? whatWouldBeLost(root, tree) : `${tree.path} is on the branch ${now}, not ${tree.branch}.`
}

const whatWouldBeLost = async (root: string, { path, branch }: Tree): Promise<string | null> => {
  // Git may be set up to say nothing of new files, and would remove them.
  const changes = await git(path, 'status', '--porcelain', '--untracked-files=normal')
  if (changes !== '') return `${path} has changes that are not committed.`
  const isMerged = await git(root, 'merge-base', '--is-ancestor', branch, 'HEAD').then(
    () => true,
    () => false,
  )
  return isMerged ? null : `${branch} (in ${path}) has commits that are not merged.`
}

/** Whether only the entry of a work tree is left because its directory was deleted. */
const isTakenAway = (path: string): boolean => isAbsent(join(path, '.git'))

/** All of the repository; the first is the main one. */
const treesOf = async (root: string): Promise<{ path: string; branch: string | null }[]> =>
  (await git(root, 'worktree', 'list', '--porcelain')).split('\n\n').flatMap((text) => {
    const path = /^worktree (.+)$/m.exec(text)?.[1]
    return path === undefined ? [] : [{ path, branch: /^branch refs\/heads\/(.+)$/m.exec(text)?.[1] ?? null }]
  })

const git = async (cwd: string, ...args: string[]): Promise<string> => {
  try {
    // A daemon that was started from a git hook carries variables that name the repository of that hook.
    const { stdout } = await run('git', ['-C', cwd, ...args], {
      timeout: limitMs,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
    })
    return stdout.trim()
  } catch (cause) {
    const { stderr } = cause as { stderr?: string }
    throw new ReinError('refused', `git ${args.slice(0, 2).join(' ')}: ${(stderr || String(cause)).trim()}`)
  }
}

const ask = (cwd: string, ...args: string[]): Promise<string | null> =>
  git(cwd, ...args).then(
    (text) => text || null,
    () => null,
  )
