import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { fileMax } from './rule-file.ts'
import { hashOf, trustedHashes } from './trust.ts'
import type { RuleOrigin, RuleSource } from './types.ts'

/** Where rules that are not of Rein's own are. */
export interface RulePaths {
  /** The user's own rules. */
  userRules: string
  state: string
}

/** Beside the sources, and beside what is built of them. */
const packsDir = path.join(import.meta.dirname, 'packs')

export const packNames = ['git-hygiene', 'no-secrets', 'right-tool', 'safe-shell'] as const

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )

const nearestWith = async (directory: string, name: string): Promise<string | null> => {
  if (await isThere(path.join(directory, name))) return directory
  const parent = path.dirname(directory)
  return parent === directory ? null : nearestWith(parent, name)
}

/** The nearest directory at or above with rules of its own, else the top of the git work tree; null if there is neither. */
export const projectRoot = async (cwd: string): Promise<string | null> =>
  (await nearestWith(path.resolve(cwd), '.rein/rules')) ?? (await nearestWith(path.resolve(cwd), '.git'))

export const projectRules = (root: string): string => path.join(root, '.rein/rules')

/** All rule files that apply, weakest origin first: packs, the user's, the project's. */
export const ruleSources = async (
  root: string | null,
  paths: RulePaths,
  packs: readonly string[],
): Promise<RuleSource[]> => {
  const trusted = await trustedHashes(paths.state)
  const files = await Promise.all([
    ...packs.map((pack) => readRules(path.join(packsDir, `${pack}.yaml`), 'pack')),
    ...(await ruleFilesIn(paths.userRules)).map((file) => readRules(file, 'user')),
    ...(root === null ? [] : (await projectFiles(root)).map((file) => readRules(file, 'project'))),
  ])
  return files.flatMap((file) =>
    file === null ? [] : [{ ...file, isTrusted: file.origin !== 'project' || trusted.has(hashOf(file.text)) }],
  )
}

/** A link may lead a project's rules anywhere, also to files that are not its to show. */
const projectFiles = async (root: string): Promise<string[]> => {
  const directory = projectRules(root)
  const real = await realpath(directory).catch(() => null)
  const isInside = real !== null && !path.relative(await realpath(root), real).startsWith('..')
  return isInside ? ruleFilesIn(directory) : []
}

export const ruleFilesIn = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => path.join(directory, entry.name))
    .toSorted()
}

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
