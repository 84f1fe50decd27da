import { constants, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { meantHint } from './field-issues.ts'
import { filesMax } from './limits.ts'
import { fileMax } from './rule-file.ts'
import { hashOf, trustedHashes } from './trust.ts'
import type { RuleOrigin, RuleProblem, RuleSource } from './types.ts'

/** Where rules that are not of Rein's own are. */
export interface RulePaths {
  /** The user's own rules. */
  userRules: string
  state: string
}

/** Beside the sources, and beside what is built of them. */
const packsDir = path.join(import.meta.dirname, 'packs')

export const packNames: readonly string[] = ['git-hygiene', 'no-secrets', 'right-tool', 'safe-shell']

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

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined

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
    ...(root === null ? [] : projectFiles(root).map((file) => readRules(file, 'project'))),
  ])
  return files.flatMap((file) =>
    file === null ? [] : [{ ...file, isTrusted: file.origin !== 'project' || trusted.has(hashOf(file.text)) }],
  )
}

/** One more than are read, so that it is said. */
export const projectRuleFiles = (root: string): string[] => ruleFilesIn(projectRules(root)).slice(0, filesMax + 1)

/** A link may lead a project's rules anywhere, also to files that are not its to show. */
const projectFiles = (root: string): string[] => {
  const directory = projectRules(root)
  try {
    const isInside = !path.relative(realpathSync(root), realpathSync(directory)).startsWith('..')
    return isInside ? projectRuleFiles(root) : []
  } catch {
    return []
  }
}

const entriesOf = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

export const ruleFilesIn = (directory: string): string[] =>
  entriesOf(directory)
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .map((name) => path.join(directory, name))
    .toSorted()

/** Null: it has gone meanwhile. A file that cannot be read is one of no text, which is a problem when it is loaded. */
const readRules = async (file: string, origin: RuleOrigin): Promise<Omit<RuleSource, 'isTrusted'> | null> => {
  try {
    return { origin, file, text: await readRegular(file, origin !== 'project') }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : { origin, file, text: '' }
  }
}

/** Not more than is looked at, and without waiting for whoever would write into a pipe. */
const readRegular = async (file: string, mayBeLink: boolean): Promise<string> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | (mayBeLink ? 0 : constants.O_NOFOLLOW))
  try {
    if (!(await handle.stat()).isFile()) return ''
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(fileMax + 1), 0, fileMax + 1, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
