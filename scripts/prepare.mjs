// Brings a fresh machine to where Rein can be built and run. Nothing but Node itself: npm packages may be missing.
import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, run } from './spawn.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = path.join(ROOT, 'node_modules/.rein-installed')
// Commands that Debian and its kin have in a package of the same name.
const TOOLS = ['tmux', 'curl']
/** Shells that tests run, besides bash. */
export const SHELLS = ['zsh', 'fish']
const COMPILER = ['python3', 'make', 'g++']

/** Ends the script with one sentence instead of a stack. */
export class CannotRun extends Error {}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new CannotRun(`needs Node 20.19 or newer; this is ${process.version}.`)
}

/** The lock names no binaries of other platforms, which `npm ci` refuses; `--no-save` leaves it as it is. */
async function npmInstall() {
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  if ((await run('npm', [...args, '--no-progress'], { cwd: ROOT })) !== 0)
    throw new CannotRun('`npm install` failed: its messages above say why.')
}

export async function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex')
  if (readStamp() === lock) return
  console.log('· installing npm packages (the first time takes about two minutes)')
  await npmInstall()
  writeFileSync(STAMP, lock)
}

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return ''
  }
}

/** Node 22.13 has SQLite built in; before, an optional package has, whose build may have failed without a word. */
export async function ensureSqlite() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13) || (await sqliteLoads())) return
  console.log(`· building better-sqlite3 for Node ${process.version}`)
  await ensureTools(COMPILER)
  rmSync(path.join(ROOT, 'node_modules/better-sqlite3'), { recursive: true, force: true })
  await npmInstall()
  if (!(await sqliteLoads()))
    throw new CannotRun(
      'better-sqlite3 could not be built: use Node 22.13 or newer, or see `npm rebuild better-sqlite3 --foreground-scripts`.',
    )
}

/** In a process of its own: a binding for another Node may crash instead of failing. */
async function sqliteLoads() {
  const probe = `new (require('better-sqlite3'))(':memory:').close()`
  return (await capture(process.execPath, ['-e', probe], { cwd: ROOT })).code === 0
}

function isOnPath(command) {
  return (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** How this user may run apt-get; nothing if not at all. */
async function aptGet() {
  if (!isOnPath('apt-get')) return undefined
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  if (process.getuid() === 0) return command
  const maySudo = isOnPath('sudo') && (await capture('sudo', ['-n', 'true'])).code === 0
  return maySudo ? ['sudo', '-n', ...command] : undefined
}

export async function ensureTools(tools = TOOLS) {
  const missing = tools.filter((command) => !isOnPath(command))
  if (missing.length === 0) return
  const [command, ...args] = (await aptGet()) ?? []
  if (!command) throw new CannotRun(`needs ${missing.join(' and ')}: install what is missing and try again.`)
  console.log(`· installing ${missing.join(' ')} with apt-get`)
  await capture(command, [...args, 'update'])
  const { code, output } = await capture(command, [...args, 'install', '-y', '--no-install-recommends', ...missing])
  if (code !== 0) throw new CannotRun(`apt-get could not install ${missing.join(' ')}:\n${output.trim()}`)
}
