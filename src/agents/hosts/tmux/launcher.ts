import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchPlan } from '../../../contract/host.ts'
import { quoted } from '../../../base/util/shell.ts'

/** What tmux sets for a pane and the CLI needs; everything else comes from the plan alone. */
const fromTmux = ['TERM', 'TMUX', 'TMUX_PANE']

/**
 * The command that becomes the agent: a script that exports its environment, removes itself and execs the CLI.
 * tmux refuses long command lines, and a key in an argument would stand in `ps` for everybody.
 */
export const writeLauncher = (dir: string, { command, args, env, cwd }: LaunchPlan): string => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'launch.sh')
  const exports = Object.entries(env)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !fromTmux.includes(name))
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
  const program = [command, ...args].map(quoted).join(' ')
  const script = ['rm -f "$0"', ...exports, `cd ${quoted(cwd)} || exit 1`, `exec ${program}`, '']
  writeFileSync(path, script.join('\n'), { mode: 0o600 })
  const kept = fromTmux.map((name) => `${name}="$${name}"`).join(' ')
  return `exec env -i ${kept} /bin/sh ${quoted(path)}`
}
