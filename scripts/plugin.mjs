// Makes dist/plugin/: Rein's hooks, skills and MCP server as a plugin for Claude Code, which Copilot CLI loads as well.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadTs } from './load-ts.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const PLUGIN = path.join(ROOT, 'dist/plugin')

/** In place of Rein's programs: their copies of `rein setup` know where the daemon is, and that may be newer than this plugin. */
const makeFinder = (preparation, { isLaunched, findState }) => `#!/bin/sh
# Runs the program of this name that \`rein setup\` put there; does nothing without one.
${isLaunched}${preparation}${findState}program=$state/hooks/\${0##*/}
[ -x "$program" ] || exit 0
# What runs says so, where the system shows it: a project can set any variable.
is_copilot() {
  [ -n "\${COPILOT_PROJECT_DIR-}" ] || return 1
  [ -r "/proc/$cli/cmdline" ] || return 0
  {
    IFS= read -r runs
    case $runs in node | */node | bun | */bun) IFS= read -r runs ;; esac
  } <<EOF
$(PATH="/usr/bin:/bin\${PATH:+:$PATH}" && command tr '\\n\\0' ' \\n' <"/proc/$cli/cmdline")
EOF
  case $runs in copilot | */copilot | */copilot/*) ;; *) return 1 ;; esac
}
# Copilot CLI runs the same hooks; it would wait for a waiter.
if is_copilot; then
  [ "\${1-}" = claude ] || exit 0
  shift
  set -- copilot "$@"
fi
exec "$program" "$@"
`

const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/** The files that launched agents get, for the newest version that was tried, with what differs here. */
async function pluginFiles() {
  const { version, description, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const { provenVersions } = await loadTs('src/drivers/claude/capabilities.ts')
  const { assets } = await loadTs('src/drivers/claude/assets.ts')
  const parts = await loadTs('src/features/deploy/programs.ts')
  const finder = makeFinder(parts.notInLaunched, parts)
  const files = assets({
    version: provenVersions.at(-1),
    host: 'tmux',
    programs: path.join(ROOT, 'bin'),
    skills: path.join(ROOT, 'skills'),
    transport: { kind: 'socket', url: '' },
    mcp: '',
  })
  return {
    ...Object.fromEntries(files.map(({ path: name, content }) => [name, content])),
    '.claude-plugin/plugin.json': json({ name: 'rein', version, description, license, author: { name: 'Rein' } }),
    '.mcp.json': json({ mcpServers: { rein: { command: 'rein', args: ['mcp'] } } }),
    'rein-hook': finder,
    'rein-wait': finder,
    'rein-guard': makeFinder(parts.alsoInLaunched, parts),
  }
}

/** Whole or not at all: somebody may be loading the one that is there. */
export async function buildPlugin() {
  const draft = `${PLUGIN}.${process.pid}.tmp`
  for (const [name, content] of Object.entries(await pluginFiles())) {
    const file = path.join(draft, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 })
  }
  await rm(PLUGIN, { recursive: true, force: true })
  await rename(draft, PLUGIN)
}
