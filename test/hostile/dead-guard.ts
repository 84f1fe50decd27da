import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { ownFiles } from '../../src/features/rules/guard/own-files.ts'
import { prefilter, prefilterFile } from '../../src/features/rules/guard/prefilter.ts'
import { holdsWithoutDaemon } from '../../src/features/rules/guard/without-daemon.ts'
import { loadRules } from '../../src/features/rules/load.ts'
import type { RuleSource } from '../../src/features/rules/types.ts'

const TOP = path.join(import.meta.dirname, '../..')
const GUARD = path.join(TOP, 'bin/rein-guard')
const LONGEST_MS = 60_000

export interface DeadGuard {
  /** What it says to a line; null if it lets it pass. */
  says(line: string): Promise<string | null>
  close(): void
}

/** A home of its own, because a temporary directory is none that must not be deleted. */
const makeHome = (): string => {
  const home = mkdtempSync(path.join(TOP, '.judged-'))
  const files = {
    'app/.git/config': '',
    // Agents work on branches of their own.
    'app/.git/HEAD': 'ref: refs/heads/topic\n',
    'app/.rein/rules/a.yaml': 'version: 1\nrules: []\n',
    'app/.claude/settings.json': '{}',
    'app/src/a.ts': '',
    'app/package.json': '{}',
    '.ssh/id_rsa': '',
    '.config/rein/config.toml': '[rules]\npacks = "safe-shell"\n',
    '.local/state/rein/daemon.json': '{"pid":999999999}\n',
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), content)
  }
  return home
}

/** `bin/rein-guard` as an agent's hook calls it, with a guard file that a daemon has left, and no daemon. Needs a build. */
export const openDeadGuard = async (pack: RuleSource): Promise<DeadGuard> => {
  const home = makeHome()
  const places = {
    config: path.join(home, '.config/rein/config.toml'),
    state: path.join(home, '.local/state/rein'),
    runtime: '/run/user/1000/rein',
    socket: '/run/user/1000/rein/rein.sock',
    home,
  }
  const { rules } = await loadRules([ownFiles(places), pack])
  const lines = rules.filter(({ rule }) => holdsWithoutDaemon(rule)).flatMap(({ rule }) => prefilter(rule, '/'))
  const guards = path.join(places.state, 'guards')
  const judge = { ...places, node: process.execPath, script: path.join(TOP, 'dist/guard-judge.js') }
  writeFileSync(guards, prefilterFile(lines, judge))
  const app = path.join(home, 'app')
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    REIN_GUARDS: guards,
    REIN_SOCKET: places.socket,
    REIN_PROJECT: app,
    REIN_AGENT: 'agt_1',
  }
  const says = async (line: string): Promise<string | null> => {
    const child = spawn(GUARD, ['claude', 'PreToolUse'], { cwd: app, env, timeout: LONGEST_MS })
    const command = line.replaceAll('/home/ada', home)
    child.stdin.end(JSON.stringify({ cwd: app, tool_name: 'Bash', tool_input: { command } }))
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return code === 0 && said === '' ? null : said.slice(0, 300) || `exit ${String(code)}`
  }
  return { says, close: () => rmSync(home, { recursive: true }) }
}
