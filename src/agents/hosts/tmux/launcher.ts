import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchPlan } from '../../../contract/host.ts'

/** What tmux sets for a pane and the CLI needs; everything else comes from the plan alone. */
const fromTmux = ['TERM', 'TMUX', 'TMUX_PANE']

/** A script that becomes the agent. tmux refuses long command lines, and an environment is long. */
export const writeLauncher = (dir: string, { command, args, env, cwd }: LaunchPlan): string => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'launch.sh')
  const kept = fromTmux.map((name) => `"${name}=$${name}"`)
  const given = Object.entries(env)
    .filter(([name]) => !fromTmux.includes(name))
    .map(([name, value]) => quoted(`${name}=${value}`))
  const program = [command, ...args].map(quoted).join(' ')
  const script = `cd ${quoted(cwd)} || exit 1\nexec env -i ${[...kept, ...given].join(' ')} ${program}\n`
  writeFileSync(path, script, { mode: 0o600 })
  return path
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
