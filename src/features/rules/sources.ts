import { constants, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { meantHint } from './field-issues.ts'
import { filesMax } from './limits.ts'
import { fileMax } from './rule-file.ts'
import { hashOf, trustedHashes } from '../../agents/trust/trusted.ts'
import type { RuleOrigin, RuleProblem, RuleSource } from './types.ts'

/** Where rules that are not of Rein's own are. */
export interface RulePaths {
  /** The user's own rules. */
  userRules: string
  state: string
}

/** Beside the sources, and beside what is built of them. */
const packsDir = path.join(import.meta.dirname, 'packs')

export const packNames: readonly string[] = ['git-hygiene', 'infra', 'no-secrets', 'right-tool', 'safe-shell']

/** Packs that are on and that there are not. */
export const packProblems = (packs: readonly string[]): RuleProblem[] =>
  packs
    .filter((pack) => !packNames.includes(pack))
    .map((pack) => ({
      file: 'rules.packs',
      line: 1,
      column: 1,
      message: `there is no pack ${pack}`,
      hint: meantHint(pack, packNames),
      isGuard: true,
    }))

/** A path that cannot be examined may exist. */
const isThere = (file: string): boolean => {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

const nearestWith = (directory: string, name: string): string | null => {
  if (isThere(path.join(directory, name))) return directory
  const parent = path.dirname(directory)
  return parent === directory ? null : nearestWith(parent, name)
}

/**
 * The nearest directory at or above with rules of its own, else the top of the git work tree; null if there is neither.
 * Looked up at once, not by promises: it is done at every call, and that costs a seventh.
 */
export const projectRoot = (cwd: string): string | null =>
  nearestWith(path.resolve(cwd), '.rein/rules') ?? nearestWith(path.resolve(cwd), '.git')

export const projectRules = (root: string): string => path.join(root, '.rein/rules')

/**
 * The directories whose rules hold at a root: from the top of its git work tree down to it.
 * A package may add rules, and takes none of the whole project's away.
 */
export const rootsDownTo = (root: string | null): string[] => {
  if (root === null) return []
  const top = nearestWith(root, '.git') ?? root
  const names = path
    .relative(top, root)
    .split('/')
    .filter((name) => name !== '')
  return [top, ...names.map((_, depth) => path.join(top, ...names.slice(0, depth + 1)))]
}

/** The directory that a rule of a project was written for: this root, or one above. */
export const rootOf = ({ origin, file }: Pick<RuleSource, 'origin' | 'file'>, root: string): string => {
  const own = path.resolve(file, '../../..')
  return origin === 'project' && root.startsWith(`${own}/`) ? own : root
}

/** All rule files that apply, weakest origin first: packs, the user's, the project's. */
export const ruleSources = async (
  root: string | null,
  paths: RulePaths,
  packs: readonly string[],
): Promise<RuleSource[]> => {
  const trusted = await trustedHashes(paths.state)
  const files = await Promise.all([
    ...packs
      .filter((pack) => packNames.includes(pack))
      .map((pack) => readRules(path.join(packsDir, `${pack}.yaml`), 'pack')),
    ...ruleFilesIn(paths.userRules).map((file) => readRules(file, 'user')),
    ...rootsDownTo(root)
      .flatMap((each) => (troubleAt(each) === null ? projectRuleFiles(each) : []))
      .map((file) => readRules(file, 'project')),
  ])
  return files.flatMap((file) =>
    file === null ? [] : [{ ...file, isTrusted: file.origin !== 'project' || trusted.has(hashOf(file.text)) }],
  )
}

/** One more than are read, so that it is said. */
export const projectRuleFiles = (root: string): string[] => ruleFilesIn(projectRules(root)).slice(0, filesMax + 1)

/** The reason why a project's rules cannot be read; null if they can. */
const troubleAt = (root: string): string | null => {
  const directory = projectRules(root)
  try {
    if (!isThere(directory)) return null
    // A link may lead a project's rules anywhere, also to files that are not its to show.
    if (path.relative(realpathSync(root), realpathSync(directory)).startsWith('..'))
      return 'it leads out of the project'
    readdirSync(directory)
    return null
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`
  }
}

/** Unreadable rules may have forbidden anything. */
export const rootProblems = (root: string | null): RuleProblem[] =>
  rootsDownTo(root).flatMap((each) => {
    const trouble = troubleAt(each)
    return trouble === null
      ? []
      : [
          {
            file: projectRules(each),
            line: 1,
            column: 1,
            message: `no rules of this directory hold: ${trouble}`,
            hint: 'Make it a directory of the project that you can read, or take it away.',
            isGuard: true,
          },
        ]
  })

export const ruleFilesIn = (directory: string): string[] => {
  let names: string[]
  try {
    names = readdirSync(directory)
  } catch {
    return []
  }
  return names
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .map((name) => path.join(directory, name))
    .toSorted()
}

/** Null: it has gone meanwhile. */
const readRules = async (file: string, origin: RuleOrigin): Promise<Omit<RuleSource, 'isTrusted'> | null> => {
  const unread = { origin, file, text: '', isUnread: true }
  const isLinkFollowed = origin !== 'project'
  try {
    // Reads up to the limit, and never blocks on a pipe.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isLinkFollowed ? 0 : constants.O_NOFOLLOW)
    const handle = await open(file, flags)
    try {
      if (!(await handle.stat()).isFile()) return unread
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(fileMax + 1), 0, fileMax + 1, 0)
      return { origin, file, text: buffer.toString('utf8', 0, bytesRead) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : unread
  }
}
