import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import {
  openShadow,
  type Restored,
  type Shadow,
  type ShadowOptions,
} from '../../src/features/sessions/snapshots/shadow.ts'

/** Every path of a tree with its kind, its permissions and a hash of its bytes. */
export type TreeState = Record<string, string>

/** A work tree to play with, a place for its snapshots, and a home for git. */
export interface SnapshotBox {
  root: string
  tree: string
  shadows: string
  env: Record<string, string>
  open: (options?: Partial<ShadowOptions>) => Promise<Shadow>
  git: (...args: string[]) => string
  gitIn: (dir: string, ...args: string[]) => string
  write: (file: string | Buffer, content: string | Buffer, mode?: number) => void
  read: (file: string) => string
  at: (file: string | Buffer) => Buffer
  /** The whole tree, without what belongs to git. */
  state: (dir?: string) => TreeState
  /** All that belongs to the user's git, byte for byte. */
  gitState: () => TreeState
}

export const createSnapshotBox = (atTheEnd: (clean: () => void) => void = onTestFinished): SnapshotBox => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'rein-snap-')))
  atTheEnd(() => rmSync(root, { recursive: true, force: true }))
  const [tree, home, shadows] = ['tree', 'home', 'shadows'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const dir of [tree, home]) mkdirSync(dir)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@localhost',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@localhost',
  }
  writeFileSync(path.join(home, '.gitconfig'), '[protocol "file"]\n\tallow = always\n[init]\n\tdefaultBranch = main\n')
  const at = (file: string | Buffer): Buffer => Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(file)])
  const gitIn = (dir: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: path.join(tree, dir), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    root,
    tree,
    shadows,
    env,
    open: (options = {}) => openShadow({ dir: shadows, tree, ports: { now: Date.now, env }, ...options }),
    git: (...args) => gitIn('.', ...args),
    gitIn,
    write: (file, content, mode = 0o644) => {
      mkdirSync(dirOf(at(file)), { recursive: true })
      writeFileSync(at(file), content)
      chmodSync(at(file), mode)
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    at,
    state: (dir = tree) => stateOf(Buffer.from(dir), (name) => name !== '.git'),
    gitState: () => stateOf(Buffer.from(path.join(tree, '.git')), () => true),
  }
}

/** As a rewind is done: what is now is saved first. */
export const rewind = async (shadow: Shadow, target: string): Promise<Restored> => {
  const safety = await shadow.snapshot({ before: target })
  return shadow.restore(target, { since: safety.id })
}

const dirOf = (file: Buffer): Buffer => file.subarray(0, file.lastIndexOf('/'))

export const stateOf = (dir: Buffer, isWanted: (name: string) => boolean): TreeState => {
  const state: TreeState = {}
  const walk = (at: Buffer, prefix: string): void => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      const [file, shown] = [Buffer.concat([at, Buffer.from('/'), name]), `${prefix}${name.toString('latin1')}`]
      if (!isWanted(String(name))) continue
      const stat = lstatSync(file)
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isSymbolicLink()) state[shown] = `link ${readlinkSync(file, 'latin1')}`
      else if (stat.isDirectory()) state[`${shown}/`] = `dir ${mode}`
      else if (stat.isFile())
        state[shown] = `file ${mode} ${createHash('sha1').update(readFileSync(file)).digest('hex')}`
      else state[shown] = 'other'
      if (stat.isDirectory()) walk(file, `${shown}/`)
    }
  }
  walk(dir, '')
  return state
}
