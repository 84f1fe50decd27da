import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sim } from '../../src/sim/server.ts'
import type { Env, Stage } from '../campaign/stage.ts'
import { cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import type { Member } from './crew.ts'
import type { Options } from './options.ts'

const claude = cliNamed('claude')

/** Waits are as short as they can be, and nothing is given up: here agents are killed more often than in a year. */
export const impatience: Env = {
  REIN_AGENTS_RESTART_BACKOFF_S: '1',
  REIN_AGENTS_RESTART_BACKOFF_MAX_S: '1',
  REIN_AGENTS_RESTART_LIMIT: '1000',
  REIN_INBOX_INTERRUPT_QUIET_S: '1',
}

/** One program for both kinds: the stand-in where an account is to be kept, else the real one. `exec`, so that Rein knows the agent itself. */
export const writeProgram = (dir: string, standIn: string): string => {
  const path = join(dir, 'claude')
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
[ -n "$CAMPAIGN_TRUTH" ] || exec '${programOf(claude)}' "$@"
export CAMPAIGN_SEED="$CAMPAIGN_SEED$$"
exec '${process.execPath}' '${standIn}' "$@"
`
  writeFileSync(path, script, { mode: 0o755 })
  return path
}

export interface Cast {
  standIns: Member[]
  real: Member[]
  /** The account that each stand-in keeps. */
  truths: string[]
  /** Where the real ones keep their conversations. */
  projects: string
}

export const createCast = async (stage: Stage, options: Options, sim: Sim): Promise<Cast> => {
  const [truth, home] = ['truth', 'claude-home'].map((name) => join(stage.root, name)) as [string, string]
  for (const dir of [truth, home]) mkdirSync(dir)
  await settle(claude, home, sim.url, stage.cwd)
  const fileOf = (handle: string): string => join(truth, `${handle}.jsonl`)
  const standIns = named('stand-in', options.agents).map((handle, index): Member => {
    const env = { ...stage.env, CAMPAIGN_TRUTH: fileOf(handle), CAMPAIGN_SEED: String(options.seed + index) }
    return { handle, host: 'stream', env }
  })
  const env = { ...envOf(claude, home, sim.url), REIN_HOME: stage.env['REIN_HOME'] ?? '' }
  const real = named('real', options.real).map((handle): Member => ({ handle, host: options.host, env }))
  const truths = standIns.map(({ handle }) => fileOf(handle))
  for (const file of truths) writeFileSync(file, '')
  return { standIns, real, truths, projects: join(home, '.claude/projects') }
}

const named = (kind: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${kind}-${n + 1}`)
