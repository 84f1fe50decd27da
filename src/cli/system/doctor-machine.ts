import { execFile } from 'node:child_process'
import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DoctorCheck } from '../../contract/routes/daemon.ts'
import { isOlder } from '../../client/semver.ts'
import { asReinError } from '../../contract/errors.ts'
import { PathError, type ReinPaths } from '../../base/util/paths.ts'
import { quoted } from '../../base/util/shell.ts'
import { isInstalled } from '../agents/host.ts'
import type { CliContext } from '../context.ts'
import { formatBytes } from '../format.ts'
import { loadSettings } from '../settings.ts'
import type { Config } from '../../base/config/load.ts'

const execute = promisify(execFile)

/** What can be told without a daemon, whatever else is broken. */
export const inspectMachine = async (context: CliContext): Promise<DoctorCheck[]> => {
  const { env, now } = context
  return [
    nodeCheck(process.versions.node),
    ...placeChecks(context),
    clockCheck(now(), lstatSync(fileURLToPath(import.meta.url)).mtimeMs),
    await programCheck(env, 'git', { use: 'Files of agents are saved with it, so that turns can be rewound.' }),
    await programCheck(env, 'curl', { use: 'Hooks reach the daemon through it.' }),
    await programCheck(env, 'tmux', {
      args: ['-V'],
      use: 'Agents run in terminals of their own.',
      without: 'agents run with --host pty',
    }),
    // Every system has it: it is named where it is missing.
    ...(isInstalled('mkfifo', env['PATH'] ?? '')
      ? []
      : [
          await programCheck(env, 'mkfifo', {
            use: 'Agents without a terminal are told things through it.',
            package: 'coreutils',
          }),
        ]),
  ]
}

const oldestNode = '20.19.0'

const nodeCheck = (version: string): DoctorCheck => {
  if (!isOlder(version, oldestNode)) return { name: 'node', ok: true, detail: version }
  const detail = `${version} is older than ${oldestNode}.`
  return { name: 'node', ok: false, detail, hint: 'Install Node 22 or newer: https://nodejs.org' }
}

/** Where Rein keeps its files: whether it can, for this user alone, and how much room is left. */
const placeChecks = (context: CliContext): DoctorCheck[] => {
  let paths: ReinPaths
  try {
    paths = context.paths()
  } catch (cause) {
    const hint = cause instanceof PathError ? cause.hint : undefined
    return [{ name: 'files', ok: false, detail: asReinError(cause).message, ...(hint === undefined ? {} : { hint }) }]
  }
  const dirs = paths.runtime.startsWith(`${paths.state}/`) ? [paths.state] : [paths.state, paths.runtime]
  const checks = dirs.map(directoryCheck)
  return [...checks, ...(checks[0]?.ok === true ? [roomCheck(existingAbove(paths.state))] : [])]
}

const directoryCheck = (dir: string): DoctorCheck => {
  const name = 'files'
  const there = existingAbove(dir)
  const stats = lstatSync(there)
  const elsewhere = 'Or choose another directory: export REIN_HOME=~/rein-home'
  if (!stats.isDirectory() && !statSync(there, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = `Move it away: mv ${quoted(there)} ${quoted(`${there}.old`)}\n${elsewhere}`
    return { name, ok: false, detail: `${there} is a file; Rein needs a directory there.`, hint }
  }
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { message } = asReinError(cause)
    return { name, ok: false, detail: message, hint: `Check owner and mode: ls -ld ${quoted(there)}\n${elsewhere}` }
  }
  const mode = stats.mode & 0o777
  if (there !== dir || (mode & 0o077) === 0) return { name, ok: true, detail: dir }
  return {
    name,
    ok: false,
    detail: `${dir} is open to other users (mode ${mode.toString(8)}).`,
    hint: `chmod 700 ${quoted(dir)}`,
  }
}

/** The path itself if it is there, else the nearest directory above it that is. */
const existingAbove = (dir: string): string => {
  try {
    lstatSync(dir)
    return dir
  } catch {
    const above = path.dirname(dir)
    return above === dir ? dir : existingAbove(above)
  }
}

const leastRoom = 100 * 1024 * 1024

const roomCheck = (dir: string): DoctorCheck => {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  const detail = `${formatBytes(free)} free`
  if (free >= leastRoom) return { name: 'disk', ok: true, detail }
  return { name: 'disk', ok: false, detail: `Only ${detail} at ${dir}.`, hint: 'Free some space: df -h' }
}

/** The settings as far as they can be read, and what is wrong with them. */
export const readSettings = async (context: CliContext): Promise<{ check: DoctorCheck; config: Config | null }> => {
  const name = 'settings'
  try {
    const config = await loadSettings(context, context.cwd())
    const file = context.paths().config
    const isGiven = statSync(file, { throwIfNoEntry: false }) !== undefined
    return { check: { name, ok: true, detail: isGiven ? file : 'none changed' }, config }
  } catch (cause) {
    const { message, hint = 'Fix that, then run: rein doctor' } = asReinError(cause)
    return { check: { name, ok: false, detail: message.replaceAll('\n', ' '), hint }, config: null }
  }
}

const dayMs = 86_400_000

/** A clock that is behind makes receipts, leases and copies end at the wrong time. `writtenAt`: when this program was written. */
const clockCheck = (now: number, writtenAt: number): DoctorCheck => {
  const shown = new Date(now).toISOString().slice(0, 16).replace('T', ' ')
  if (now > writtenAt - dayMs) return { name: 'clock', ok: true, detail: `${shown} UTC` }
  const detail = `It says ${shown} UTC, which is before this Rein was installed.`
  return { name: 'clock', ok: false, detail, hint: 'Set it: sudo timedatectl set-ntp true' }
}

interface Use {
  args?: string[]
  use: string
  /** The system's package that has it, where that has another name. */
  package?: string
  /** What happens without it, where that is no failure. */
  without?: string
}

const programCheck = async (
  env: CliContext['env'],
  name: string,
  { args = ['--version'], use, package: named = name, without }: Use,
): Promise<DoctorCheck> => {
  try {
    const { stdout } = await execute(name, args, { timeout: 5000, env: { ...env } })
    return { name, ok: true, detail: /\d+(\.\d+)+\w*/.exec(stdout)?.[0] ?? 'installed' }
  } catch {
    const hint = `Install it: ${packageCommand(named, env['PATH'] ?? '')}`
    if (without === undefined) return { name, ok: false, detail: `not installed. ${use}`, hint }
    return { name, ok: false, optional: true, detail: `not installed; ${without}`, hint }
  }
}

const managers = {
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  apk: 'sudo apk add',
  zypper: 'sudo zypper install',
  brew: 'brew install',
} as const

/** How a program is installed on this system. */
const packageCommand = (name: string, searchPath: string): string => {
  const found = Object.entries(managers).find(([manager]) => isInstalled(manager, `${searchPath}:/usr/bin:/sbin`))
  return `${found?.[1] ?? 'sudo apt-get install'} ${name}`
}
