// Draws docs/team-demo.svg from what `rein demo team --once` really shows on a terminal, up to the story: `node scripts/team-picture.mjs`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { drawStill } from './svg.mjs'

const ROOT = join(import.meta.dirname, '..')
const COLUMNS = 112

const play = () =>
  new Promise((resolve, reject) => {
    let shown = ''
    const options = { cols: COLUMNS, rows: 40, env: { ...process.env, TERM: 'xterm-256color' } }
    const demo = spawn(process.execPath, [join(ROOT, 'bin/rein.cjs'), 'demo', 'team', '--once'], options)
    demo.onData((data) => {
      shown += data
    })
    demo.onExit(({ exitCode }) => (exitCode === 0 ? resolve(shown) : reject(new Error(shown))))
  })

const lines = (await play()).split('\r\n')
const scenes = lines.slice(
  0,
  lines.findIndex((line) => line.endsWith('rein story dates')),
)
const terminal = new xterm.Terminal({ cols: COLUMNS, rows: scenes.length, allowProposedApi: true })
await new Promise((resolve) => terminal.write(scenes.join('\r\n').trimEnd(), resolve))
writeFileSync(join(ROOT, 'docs/team-demo.svg'), drawStill(terminal))
