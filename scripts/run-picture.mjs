// Draws docs/run.svg from what `rein run` really shows on a terminal: `node scripts/run-picture.mjs`.
// A real Claude Code, a scripted model in place of an account, and a home, a project and a daemon of their own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { bundleTs } from './load-ts.mjs'
import { drawCells } from './svg.mjs'

const ROOT = join(import.meta.dirname, '..')
const KEY = 'sk-ant-dummy-0123456789abcdef'
const COLUMNS = 96
const ROWS = 40

const stage = mkdtempSync(join(tmpdir(), 'rein-picture-'))
const [state, home, project] = ['rein', 'home', 'shop'].map((name) => join(stage, name))
for (const dir of [state, home, project]) mkdirSync(dir, { mode: 0o700 })
const total = join(project, 'total.ts')
const code = `interface Item {
  price: number
}

export const total = (items: Item[]): number =>
  items.reduce((sum, { price }) => sum + price, 1)
`
const edit = { file_path: total, old_string: 'sum + price, 1)', new_string: 'sum + price, 0)' }
const finding = `## Why it is wrong

The sum starts at \`1\`, so **every** total is one too high:

\`\`\`ts
items.reduce((sum, { price }) => sum + price, 1) // should be 0
\`\`\`

| basket | total | should be |
|---|---|---|
| empty | 1 | 0 |
| one book for 12 | 13 | 12 |
`
const scenario = `on Why is the total wrong do THINK:The sum is off by one in each case; I look at the code first. ;; CALL:Read{"file_path":"${total}"} ;; RUN:node check.mjs
on (## Why it is wrong[^]*) do SAY:$1
on Fix it do CALL:Edit${JSON.stringify(edit)} ;; SAY:Done.`

writeFileSync(total, code)
writeFileSync(join(project, 'finding.md'), finding)
writeFileSync(
  join(project, 'check.mjs'),
  "import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('finding.md', 'utf8').trim())\n",
)
const settled = { hasCompletedOnboarding: true, customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] } }
const projects = { [project]: { hasTrustDialogAccepted: true } }
writeFileSync(join(home, '.claude.json'), JSON.stringify({ ...settled, projects }))

const { startSim } = await import(pathToFileURL(await bundleTs('src/sim/server.ts')).href)
const sim = await startSim({ scenario })
const env = {
  PATH: process.env.PATH,
  HOME: home,
  REIN_HOME: state,
  REIN_CLAUDE_PATH: join(ROOT, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe'),
  ANTHROPIC_BASE_URL: sim.url,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
}

const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
const program = join(ROOT, 'bin/rein.cjs')
const args = [program, 'run', '--policy', 'Bash=approve', '--policy', 'Read=approve', 'Why is the total wrong?']
const pty = spawn(process.execPath, args, { name: 'xterm-256color', cols: COLUMNS, rows: ROWS, cwd: project, env })
terminal.onData((reply) => pty.write(reply))

const lines = () =>
  Array.from({ length: ROWS }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '')
/** Resolves when the screen shows this. */
const shows = (wanted) =>
  new Promise((resolve) => {
    const listening = terminal.onWriteParsed(() => {
      if (!wanted.test(lines().join('\n'))) return
      listening.dispose()
      resolve()
    })
  })

pty.onData((data) => terminal.write(data))
await shows(/one book for 12[^]*■ idle/)
pty.write('Fix it.\r')
await shows(/y allows/)
writeFileSync(join(ROOT, 'docs/run.svg'), drawCells(terminal).replaceAll(stage, '~'))
pty.write('\u0003\u0003')
await new Promise((resolve) => pty.onExit(resolve))
execFileSync(process.execPath, [program, 'daemon', 'stop'], { env })
await sim.close()
rmSync(stage, { recursive: true, force: true })
