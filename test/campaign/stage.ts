import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../src/client/client.ts'
import { type ReinPaths, reinPaths } from '../../src/base/util/paths.ts'
import { killProcess } from '../support/kill.ts'

export const repository = join(import.meta.dirname, '../..')
export const daemonScript = join(repository, 'dist/daemon.js')

export type Env = Record<string, string>

/** A Rein of its own in a temporary directory, and a way to ask it; nothing is running yet. */
export interface Stage {
  root: string
  cwd: string
  env: Env
  paths: ReinPaths
  client: Client
  /** Ends whatever was started from here, and removes it. */
  close: () => void
}

/** A busy machine must not turn every hook into one that came too late: what is tested is what happens at kills. */
const patience = { REIN_HOOKS_DEADLINE_MS: '1000' }
/** All that the stand-in runs is `true`: that looks like a loop, and is none. */
const unwatched = { REIN_LOOPS_ENABLED: 'false' }
const checked = { REIN_CHECK_ANSWERS: '1' }

export const createStage = (claude: string, root = mkdtempSync(join(tmpdir(), 'rein-campaign-'))): Stage => {
  const [cwd, home, state] = ['project', 'home', 'rein'].map((name) => join(root, name)) as [string, string, string]
  for (const dir of [cwd, home, state]) mkdirSync(dir, { recursive: true, mode: 0o700 })
  const PATH = process.env['PATH'] ?? ''
  const env = { PATH, HOME: home, REIN_HOME: state, REIN_CLAUDE_PATH: claude, ...patience, ...unwatched, ...checked }
  const paths = reinPaths({ env, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
  const client = createClient({ paths, env, start: false, script: daemonScript, timeoutMs: 20_000 })
  const close = (): void => {
    endProcesses(root)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { root, cwd, env, paths, client, close }
}

/** Whoever breaks the campaign off is left with nothing that still runs. */
export const whenBrokenOff = (clean: () => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      clean()
      process.exit(1)
    })
}

/** A program that Rein takes for Claude Code. `exec`, so that the process Rein starts is the stand-in itself. */
export const writeStandIn = (dir: string, bundle: string): string => {
  const path = join(dir, 'claude')
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
exec '${process.execPath}' '${bundle}' "$@"
`
  writeFileSync(path, script, { mode: 0o755 })
  return path
}

/** Ends whatever was started for a Rein that lives under this directory. */
export const endProcesses = (dir: string): void => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const isOurs = (variable: string): boolean => /^REIN_(HOME|SOCKET)=/.test(variable) && variable.includes(`=${dir}/`)
  for (const pid of pids) if (environOf(pid).split('\0').some(isOurs)) killProcess(Number(pid))
}

const environOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
