import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRoot } from '../support/abilities.ts'
import { whileUnchanged } from '../support/live-tree.ts'
import { actingAs, type Box, createBox, type Env, run } from './harness.ts'
import { runCli } from './in-process-cli.ts'
import { quiet } from './team-box.ts'

const nobody = 65_534
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

const modesIn = (dir: string): Map<string, number> =>
  whileUnchanged(() => {
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    return new Map([dir, ...names.map((name) => join(dir, name))].map((path) => [path, modeOf(path)]))
  })

const openToOthers = (modes: Map<string, number>): string[] =>
  [...modes].filter(([, mode]) => (mode & 0o077) !== 0).map(([path]) => path)

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

const upAgent = (box: Box, handle = 'worker') =>
  box
    .client()
    .up({ handle, driver: 'claude', host: 'stream', request: { cwd: box.cwd, env: {}, args: [] }, env: box.env })

describe('files and directories', () => {
  test('are for their owner alone, also under umask 000', async () => {
    const box = createBox()
    await box.daemon({ through: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] })
    await upAgent(box)
    await box.client().tell({ target: 'worker', cwd: box.cwd, text: 'hello', from: 'tester' })
    const modes = modesIn(box.paths.state)
    expect([...modes.keys()]).toEqual(
      expect.arrayContaining([box.paths.socket, `${box.paths.database}-wal`, box.paths.log]),
    )
    expect(openToOthers(modes)).toEqual([])
    expect(modeOf(box.paths.socket)).toBe(0o600)
  })

  test('an agent keeps the umask of whoever started the daemon', async () => {
    const box = createBox()
    await box.daemon({ through: ['sh', '-c', 'umask 027; exec "$@"', 'sh'] })
    const { pid } = await upAgent(box)
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Umask:\s+0027$/m)
  })
})

describe('a directory that is not ours alone is refused', () => {
  type Flaw = 'link' | 'open' | 'foreign'
  const complaints: Record<Flaw, string> = {
    link: 'is a symbolic link',
    open: 'is open to other users (mode 777)',
    foreign: `belongs to user ${nobody}`,
  }

  const spoil: Record<Flaw, (dir: string, victim: string) => void> = {
    link: (dir, victim) => symlinkSync(victim, dir),
    open: (dir) => {
      mkdirSync(dir)
      chmodSync(dir, 0o777)
    },
    foreign: (dir) => {
      mkdirSync(dir, { mode: 0o700 })
      chownSync(dir, nobody, nobody)
    },
  }

  const refusal = (flaw: Flaw) => ({ code: 6, stdout: '', stderr: expect.stringContaining(complaints[flaw]) as string })

  // Only root can give a directory away.
  const flaws: Flaw[] = isRoot ? ['link', 'open', 'foreign'] : ['link', 'open']

  test.each(flaws)('as state directory: %s', async (flaw) => {
    const box = createBox()
    spoil[flaw](box.paths.state, box.cwd)
    expect(await runCli(box, ['ps'])).toEqual(refusal(flaw))
    expect(readdirSync(box.cwd)).toEqual([])
  })

  test.each(flaws)('as runtime directory: %s', async (flaw) => {
    const box = createBox()
    const runtime = join(box.root, 'runtime')
    mkdirSync(runtime, { mode: 0o700 })
    spoil[flaw](join(runtime, 'rein'), box.cwd)
    const env = { REIN_HOME: '', XDG_RUNTIME_DIR: runtime }
    expect(await runCli(box, ['ps'], { env })).toEqual(refusal(flaw))
    expect(readdirSync(box.cwd)).toEqual([])
  })
})

/** Tries everything a stranger on this machine could; prints what worked. */
const intruder = `
const fs = require('node:fs'), net = require('node:net')
const { paths, socket, readable } = JSON.parse(process.argv[1])
const worked = []
const attempt = (what, action) => { try { action(); worked.push(what) } catch {} }
attempt('control', () => fs.readFileSync(readable))
for (const path of paths) {
  attempt('list ' + path, () => fs.readdirSync(path))
  attempt('read ' + path, () => fs.closeSync(fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)))
  attempt('write ' + path, () => fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)))
  attempt('create in ' + path, () => fs.writeFileSync(path + '/x', ''))
  attempt('rename ' + path, () => fs.renameSync(path, path + '-'))
}
const connection = net.connect(socket)
const done = () => { console.log(JSON.stringify({ uid: process.getuid(), worked })); process.exit() }
connection.on('connect', () => { worked.push('connect'); done() }).on('error', done)
`

/** What another user gets at: tried where we can become one, else told from the modes. */
const reachedByOthers = async (box: Box): Promise<string[]> => {
  const modes = modesIn(box.paths.state)
  if (!isRoot) return openToOthers(modes)
  const paths = [...modes.keys()]
  const readable = join(box.root, 'readable')
  writeFileSync(readable, '', { mode: 0o644 })
  const target = JSON.stringify({ paths, socket: box.paths.socket, readable })
  const { stdout } = await run([process.execPath, '-e', intruder, target], {
    env: box.env,
    through: asNobody,
    cwd: '/',
  })
  const { uid, worked } = JSON.parse(stdout) as { uid: number; worked: string[] }
  return [`user ${uid}`, ...worked]
}

test('another user reaches nothing', async () => {
  const box = createBox()
  await upAgent(box)
  // The doors before Rein's own stand open.
  chmodSync(box.root, 0o755)
  expect(await reachedByOthers(box)).toEqual(isRoot ? [`user ${nobody}`, 'control'] : [])
})

describe('an agent', () => {
  const codeOf = async (box: Box, args: string[], env: Env): Promise<[number, string | undefined]> => {
    const { code, stdout } = await runCli(box, [...args, '--json'], { env })
    return [code, (JSON.parse(stdout) as { error?: { code: string } }).error?.code]
  }

  test('tells, reads and acknowledges its own, and nothing beyond', async () => {
    const box = createBox(quiet)
    await box.runningAgent('ada')
    await box.runningAgent('bob')
    const tell = async (text: string) =>
      (await box.client().tell({ target: 'ada', cwd: box.cwd, text, from: 'tester' })).id
    const [first, second] = [await tell('one'), await tell('two')]
    const [ada, bob] = [actingAs(box, 'ada'), actingAs(box, 'bob')]

    expect(await codeOf(box, ['ack', first], bob)).toEqual([5, 'wrong_agent'])
    expect(await codeOf(box, ['inbox', 'read', first], ada)).toEqual([0, undefined])
    expect(await codeOf(box, ['ack', first], ada)).toEqual([0, undefined])
    expect(await codeOf(box, ['ack', first], ada)).toEqual([0, undefined])
    const told = await runCli(box, ['tell', 'bob', 'from ada', '--from', 'the boss', '--json'], { env: ada })
    const [view] = (await box.client().inbox({ target: 'bob', cwd: box.cwd })).filter((one) =>
      told.stdout.includes(one.id),
    )
    expect(view).toMatchObject({ from: 'ada', excerpt: 'from ada' })

    const forbidden = [
      ['answer', 'ada', 'allow'],
      ['up', 'eve'],
      ['down', 'ada'],
      ['interrupt', 'ada'],
      ['cancel', second],
      ['doctor'],
      ['daemon', 'rebuild'],
      ['daemon', 'stop'],
    ]
    for (const args of forbidden) expect([args, ...(await codeOf(box, args, ada))]).toEqual([args, 5, 'forbidden'])
    const forged = { ...ada, REIN_TOKEN: `${ada['REIN_TOKEN']?.slice(0, -4)}AAAA` }
    expect(await codeOf(box, ['ps'], forged)).toEqual([5, 'forbidden'])
    await expect(box.client().receipt({ id: second })).resolves.toMatchObject({ state: 'queued' })
  })
})
