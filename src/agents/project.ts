import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { ReinError } from '../contract/errors.ts'
import { redact } from '../redact/redact.ts'

const run = promisify(execFile)
const known = new Map<string, { project: Promise<string>; at: number }>()
const freshMs = 30_000

/** The project a directory belongs to: the same for every clone and work tree of a repository. */
export const projectOf = (cwd: string, now: number): Promise<string> => {
  const cached = known.get(cwd)
  if (cached !== undefined && now - cached.at < freshMs) return cached.project
  const project = findProject(cwd)
  // Who asks while git is being asked waits for the same answer; a failure is nobody's answer.
  known.set(cwd, { project, at: now })
  project.catch(() => known.delete(cwd))
  return project
}

const findProject = async (cwd: string): Promise<string> => {
  const real = await realpath(cwd).catch(() => {
    throw new ReinError('not_found', `There is no directory ${cwd}.`)
  })
  return (await repositoryOf(real)) ?? nameOf(basename(real) || 'root', real)
}

/** Remote address and first commit; a repository without either is known by its place. */
const repositoryOf = async (cwd: string): Promise<string | null> => {
  const top = await git(cwd, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  if (top === null) return null
  const remote = await git(cwd, 'config', '--get', 'remote.origin.url')
  const root = await git(cwd, 'rev-list', '--max-parents=0', 'HEAD')
  const name = basename(normalizeRemote(remote ?? '') || top.replace(/\/\.git$/, ''))
  if (remote === null && root === null) return nameOf(name, top)
  return nameOf(name, `${normalizeRemote(remote ?? top)}\n${root?.split('\n').at(-1) ?? ''}`)
}

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
