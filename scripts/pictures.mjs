// Takes the pictures of docs/: `npm run pictures`. Real programs on real terminals: agents are Claude Code in tmux, with a
// scripted model in place of an account, and a home, a project and a daemon of their own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { bundleTs } from './load-ts.mjs'
import { drawMoving, drawStill, takeFrame } from './svg.mjs'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'bin/rein.cjs')
const KEY = 'sk-ant-dummy-0123456789abcdef'
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]

const stage = mkdtempSync(join(tmpdir(), 'rein-picture-'))
const [state, home, project] = ['rein', 'home', 'shop'].map((name) => join(stage, name))
for (const dir of [state, home, project]) mkdirSync(dir, { mode: 0o700 })

const total = join(project, 'total.ts')
const finding = `## Why it is wrong

The sum starts at \`1\`, so **every** total is one too high:

| basket | total | should be |
|---|---|---|
| empty | 1 | 0 |
| one book for 12 | 13 | 12 |
`
const edit = { file_path: total, old_string: 'sum + price, 1)', new_string: 'sum + price, 0)' }
const say = (text) => `RUN:${join(state, 'bin/rein')} chat send general '${text}'`
const scenario = `on Why is the total wrong do CALL:Read{"file_path":"${total}"} ;; RUN:node check.mjs
on (## Why it is wrong[^]*) do SAY:$1
on Fix it do CALL:Edit${JSON.stringify(edit)} ;; SAY:Done.
on Speed up the search do ${say('The search index is rebuilt on every request. I cache it.')} ;; CALL:Read{"file_path":"${total}"} ;; ${'RUN:node bench.mjs ;; '.repeat(60)}SAY:The search answers in 12 ms now, before it was 340 ms.
on Write the release notes do ${say('@api which version is this?')} ;; SAY:The release notes are in NOTES.md: three features, two fixes and one change that breaks an old API.
on Remove what is not used do CALL:Bash{"command":"rm -rf dist legacy/"} ;; SAY:Removed.`

writeFileSync(
  total,
  'export const total = (items: Item[]): number =>\n  items.reduce((sum, { price }) => sum + price, 1)\n',
)
writeFileSync(join(project, 'finding.md'), finding)
writeFileSync(
  join(project, 'check.mjs'),
  "import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('finding.md', 'utf8').trim())\n",
)
writeFileSync(
  join(project, 'bench.mjs'),
  "await new Promise((done) => setTimeout(done, 1500))\nconsole.log('search  p50 12 ms  p99 31 ms')\n",
)
const projects = { [project]: { hasTrustDialogAccepted: true } }
const settled = {
  hasCompletedOnboarding: true,
  bypassPermissionsModeAccepted: true,
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
}
writeFileSync(join(home, '.claude.json'), JSON.stringify({ ...settled, projects }))

const { startSim } = await import(pathToFileURL(await bundleTs('src/sim/server.ts')).href)
const sim = await startSim({ scenario })
const env = {
  PATH: process.env.PATH,
  HOME: home,
  USER: 'ada',
  LANG: 'C.UTF-8',
  REIN_HOME: state,
  REIN_CLAUDE_PATH: join(ROOT, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe'),
  ANTHROPIC_BASE_URL: sim.url,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
  // The scripted model runs the same command again and again.
  REIN_LOOPS_ENABLED: 'false',
}
const rein = (...args) => execFileSync(process.execPath, [PROGRAM, ...args], { env, cwd: project, encoding: 'utf8' })

/** A command on a terminal. */
const open = (args, { columns, rows }) => {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const options = { name: 'xterm-256color', cols: columns, rows, cwd: project, env }
  const pty = spawn(process.execPath, [PROGRAM, ...args], options)
  terminal.onData((reply) => pty.write(reply))
  pty.onData((data) => terminal.write(data))
  const ended = new Promise((resolve) => pty.onExit(resolve))
  const text = () =>
    Array.from({ length: rows }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '').join(
      '\n',
    )
  const shows = (wanted) =>
    new Promise((resolve) => {
      const look = () => {
        if (!wanted.test(text())) return
        listening.dispose()
        resolve()
      }
      const listening = terminal.onWriteParsed(look)
      look()
    })
  return { terminal, shows, text, type: (keys) => pty.write(keys), ended }
}

const write = (name, svg) =>
  writeFileSync(
    join(ROOT, 'docs', name),
    svg.replaceAll(stage, '~').replaceAll(new RegExp(`${stage.slice(0, 6)}[\\w./-]*…`, 'g'), '~/…'),
  )
const nameOf = (name, { columns, rows }) => `${name}-${columns}x${rows}.svg`

const takeWelcome = async (size) => {
  const screen = open([], size)
  await screen.ended
  await screen.shows(/rein --help/)
  write(nameOf('welcome', size), drawStill(screen.terminal))
}

const takeRun = async (size) => {
  writeFileSync(
    total,
    'export const total = (items: Item[]): number =>\n  items.reduce((sum, { price }) => sum + price, 1)\n',
  )
  const policies = ['--policy', 'Bash=approve', '--policy', 'Read=approve']
  const screen = open(['run', ...policies, 'Why is the total wrong?'], size)
  await screen.shows(/one book for 12[^]*■ idle/)
  screen.type('Fix it.\r')
  await screen.shows(/y allows/)
  write(nameOf('run', size), drawStill(screen.terminal))
  screen.type('\u0003\u0003')
  await screen.ended
}

const takeTop = async (size) => {
  const screen = open(['top'], size)
  await screen.shows(/● working[^]*\? asks you/)
  // The list is sorted by name: api is the first, and its terminal is shown.
  await screen.shows(/✉[^]*● Bash\(/)
  write(nameOf('top', size), drawStill(screen.terminal))
  screen.type('q')
  await screen.ended
}

const takeChat = async (size) => {
  const screen = open(['chat', 'general'], size)
  await screen.shows(/I cache it/)
  await screen.shows(/which version/)
  await screen.shows(/── here/)
  screen.type('@api do')
  await screen.shows(/@api do/)
  write(nameOf('chat', size), drawStill(screen.terminal))
  screen.type('\u0003')
  await screen.ended
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The picture of README: several agents, one of them is told something, and has seen it. */
const record = async (size) => {
  const screen = open(['top'], size)
  await screen.shows(/● Bash\(/)
  const begun = performance.now()
  const frames = [{ at: 0, rows: takeFrame(screen.terminal) }]
  screen.terminal.onWriteParsed(() => frames.push({ at: performance.now() - begun, rows: takeFrame(screen.terminal) }))
  await pause(1500)
  screen.type('t')
  for (const character of 'Keep the old index until the tests pass') {
    screen.type(character)
    await pause(45)
  }
  await pause(600)
  screen.type('\r')
  await screen.shows(/✉ queued › offered › placed › (seen|acked)|✉ q › o › p › (seen|acked)/)
  while (!frames.at(-1).rows.some((row) => /fill="#50fa7b"[^>]*>[^<]*(seen|acked)</.test(row))) await pause(50)
  await pause(4000)
  const length = Math.round(performance.now() - begun)
  write('rein.svg', drawMoving(size.columns, frames, length))
  screen.type('q')
  await screen.ended
}

for (const size of SIZES) await takeWelcome(size)
rein('chat', 'create', 'general', '--about', 'Who does what')
const approve = ['--policy', 'Bash=approve', '--policy', 'Read=approve']
rein('up', 'api', '--host', 'tmux', ...approve, '--prompt', 'Speed up the search')
rein('up', 'docs', '--host', 'stream', ...approve, '--prompt', 'Write the release notes')
rein(
  'up',
  'web',
  '--host',
  'tmux',
  '--permission-mode',
  'default',
  '--policy',
  'Bash=ask',
  '--prompt',
  'Remove what is not used',
)
try {
  await record({ columns: 100, rows: 26 })
  for (const size of SIZES) await takeTop(size)
  rein('chat', 'send', 'general', 'Release at five. Tell me here when you are done.')
  for (const size of SIZES) await takeChat(size)
  for (const size of SIZES) await takeRun(size)
} finally {
  for (const handle of ['api', 'docs', 'web']) rein('down', handle)
  rein('daemon', 'stop')
  await sim.close()
  rmSync(stage, { recursive: true, force: true })
}
