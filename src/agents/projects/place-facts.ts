import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import { redact } from '../../base/redact/redact.ts'

const run = promisify(execFile)

/** By what a project can be found again, as it is now. */
export interface Facts {
  /** The top of its repository, the same for all its work trees; without one the directory itself. */
  path: string
  remote: string | null
  /** The first commit. */
  root: string | null
  /** A name made of all that; the number makes another one where that is taken. */
  makeName(number: number): string
}

export const readPlaceFacts = async (cwd: string): Promise<Facts> => {
  const real = await realpath(cwd).catch(() => {
    throw new ReinError('not_found', `There is no directory ${cwd}.`)
  })
  return (await repositoryAt(real)) ?? factsOf({ path: real, remote: null, root: null }, basename(real), real)
}

const repositoryAt = async (cwd: string): Promise<Facts | null> => {
  const top = await git(cwd, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  if (top === null) return null
  const origin = await git(cwd, 'config', '--get', 'remote.origin.url')
  const roots = await git(cwd, 'rev-list', '--max-parents=0', 'HEAD')
  const remote = normalizeRemote(origin ?? '') || null
  const root = roots?.split('\n').at(-1) ?? null
  const path = top.replace(/\/\.git$/, '')
  const isNew = remote === null && root === null
  const identity = isNew ? top : `${remote ?? normalizeRemote(top)}\n${root ?? ''}`
  return factsOf({ path, remote, root }, basename(remote ?? path), identity)
}

const factsOf = (places: Pick<Facts, 'path' | 'remote' | 'root'>, name: string, identity: string): Facts => ({
  ...places,
  makeName: (number) => nameOf(name || 'root', number === 1 ? identity : `${identity}\n${number}`),
})

/** One address whatever way it is written: ssh, https, with or without user and `.git`. */
export const normalizeRemote = (url: string): string =>
  url
    .trim()
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]+@/, '')
    .replace(/:(?!\d+\/)/, '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()

const nameOf = (name: string, identity: string): string => {
  const readable = redact(name)
    .text.toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 40)
  return `${readable || 'project'}-${createHash('sha256').update(identity).digest('hex').slice(0, 6)}`
}

/** A daemon that was started from a git hook carries variables that name the repository of that hook. */
const withoutGit = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR)$/.test(name)),
  )

const git = async (cwd: string, ...args: string[]): Promise<string | null> => {
  try {
    const { stdout } = await run('git', ['-C', cwd, ...args], { timeout: 10_000, env: withoutGit(process.env) })
    return stdout.trim() || null
  } catch {
    return null
  }
}
