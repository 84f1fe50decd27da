import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import { hasTmux } from '../support/abilities.ts'
import { linkProgramsBut } from '../support/packed.ts'
import { personAt } from '../support/person.ts'
import { type Box, createBox, repository, until as untilSo } from './harness.ts'

const execute = promisify(execFile)
const screen = join(repository, 'test/process/fixtures/screen.mjs')

/** A home in which the agent CLI is our own program on a raw terminal. */
const boxWithScreen = (config = {}): Box & { bytes: string } => {
  const box = createBox(config)
  const bytes = join(box.root, 'bytes')
  const script = [
    '#!/bin/sh',
    `[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }`,
    'stty raw -echo',
    `exec '${process.execPath}' '${screen}'`,
    '',
  ]
  writeFileSync(join(box.root, 'claude'), script.join('\n'), { mode: 0o755 })
  return { ...box, env: { ...box.env, BYTES: bytes }, bytes }
}

const up = (box: Box, host: 'pty' | 'tmux' = 'pty', handle = 'worker') =>
  box.client().up({ handle, driver: 'claude', host, request: { cwd: box.cwd }, env: box.env })

/** A view whose terminal is a pipe: it changes nothing. */
const pipedView = (box: Box) => {
  const child = spawn(process.execPath, [join(repository, 'bin/rein.cjs'), 'attach', 'worker'], {
    cwd: box.cwd,
    env: box.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const untilOutput = async (isSo: (output: Buffer) => boolean): Promise<Buffer> => {
    while (!isSo(Buffer.concat(chunks))) await once(child.stdout, 'data')
    return Buffer.concat(chunks)
  }
  return { child, until: untilOutput }
}

const noKeeper = (box: Box): Promise<void> => untilSo(() => !existsSync(join(box.paths.runtime, 'pty.sock')))

test('views get what the program writes, byte for byte', async () => {
  const box = boxWithScreen()
  const [start, end] = [Buffer.from('<<<start>>>'), Buffer.from('<<<end>>>')]
  const text = Buffer.from('grüße 日本語 👩‍👩‍👧 \u001b[31mred\u001b[0m\u001b]0;title\u0007\r\n'.repeat(500))
  const written = Buffer.concat([start, text, randomBytes(200_000), text, end])
  writeFileSync(box.bytes, written)
  await up(box)
  const views = [pipedView(box), pipedView(box)]
  for (const view of views) await view.until((output) => output.includes('❯'))
  views[0]?.child.stdin.write('b')
  for (const view of views) {
    const output = await view.until((all) => all.includes(end))
    expect(Buffer.compare(output.subarray(output.indexOf(start)), written)).toBe(0)
  }
  await box.client().down({ target: 'worker', cwd: box.cwd })
  await noKeeper(box)
})

test('several views: the size is that of the one who is at it; scrollback, resizing and leaving', async () => {
  const box = boxWithScreen()
  await up(box)
  const first = personAt(['attach', 'worker'], { cwd: box.cwd, env: box.env, columns: 100, rows: 30 })
  await first.shows('[1: 100x29]')
  expect(first.output()).toContain('line 1\r\n')
  await first.shows('worker · Ctrl-q leaves it running')
  expect(first.output().split('[1: 100x29]')).toHaveLength(2)
  const second = personAt(['attach', 'worker'], { cwd: box.cwd, env: box.env, columns: 80, rows: 24 })
  await second.shows('[2: 80x23]')
  await first.shows('[2: 80x23]')
  first.type('x')
  await second.shows('[3: 100x29]')
  second.pty.resize(90, 20)
  await first.shows('[4: 90x19]')
  second.type('\u0002\u0002\u0002d')
  expect(await second.ended).toMatchObject({ code: 0, output: expect.stringContaining('[detached]') })
  await first.shows('[5: 100x29]')
  first.type('q')
  expect(await first.ended).toMatchObject({ code: 0, output: expect.stringContaining('exit code 7') })
  await noKeeper(box)
})

test.each(['SIGTERM', 'SIGHUP'])('a view gives its terminal back at %s, and the agent runs on', async (signal) => {
  const box = boxWithScreen()
  await up(box)
  const person = personAt(['attach', 'worker'], { cwd: box.cwd, env: box.env })
  await person.shows('❯')
  person.pty.kill(signal)
  const { output } = await person.ended
  expect(output.trimEnd()).toMatch(/\u001b\[\?2004l[^]*\u001b\[\?25h/)
  expect(await box.client().ps({})).toMatchObject([{ handle: 'worker' }])
  await box.client().down({ target: 'worker', cwd: box.cwd })
  await noKeeper(box)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('rein here: %s ends the agent and leaves nothing behind', async (signal, code) => {
  const box = boxWithScreen()
  const person = personAt(['here', 'mine'], { cwd: box.cwd, env: box.env })
  await person.shows('❯')
  person.pty.kill(signal)
  const { code: ended, output } = await person.ended
  expect(ended).toBe(code)
  expect(output.trimEnd()).toMatch(/\u001b\[\?2004l[^]*\u001b\[\?25h/)
  expect(await box.client().ps({ all: true })).toMatchObject([{ handle: 'mine', state: 'stopped' }])
  await noKeeper(box)
})

test('rein here: the exit code is that of the CLI, and a wrapper that was killed takes it along', async () => {
  const box = boxWithScreen()
  const first = personAt(['here'], { cwd: box.cwd, env: box.env })
  await first.shows('❯')
  first.type('\u0002dq')
  expect(await first.ended).toMatchObject({ code: 7 })
  const second = personAt(['here'], { cwd: box.cwd, env: box.env })
  await second.shows('❯')
  expect(await box.client().ps({})).toMatchObject([{ handle: 'project', host: 'pty' }])
  second.pty.kill('SIGKILL')
  await second.ended
  await noKeeper(box)
  for await (const _ of box.client().tail({ topic: 'agents', after: 0, follow: true }))
    if ((await box.client().ps({ all: true }))[0]?.pid === null) return
})

test('an agent that can only be woken by typing is started with a word about it', async () => {
  const said = async (version: string): Promise<string> => {
    const box = boxWithScreen()
    const program = join(box.root, 'claude')
    writeFileSync(program, readFileSync(program, 'utf8').replace('2.1.197', version))
    const { code, stderr } = await box.rein(['up', 'worker', '--host', 'pty'])
    expect(code).toBe(0)
    return stderr
  }
  expect(await said('2.1.9')).toContain('worker can only be woken by typing into its terminal. Claude Code 2.1.9')
  expect(await said('2.1.197')).not.toContain('woken')
})

test.runIf(hasTmux).each(['pty', 'tmux'] as const)(
  'Ctrl-q leaves an agent on %s inside a person’s own tmux, which stays attached',
  async (host) => {
    const box = boxWithScreen()
    await up(box, host)
    const own = join(box.root, 'own.sock')
    // Not by `runTmux`: what that starts is an agent's, which may not attach.
    const tmux = async (...args: string[]) =>
      (await execute('tmux', ['-u', '-S', own, '-f', '/dev/null', ...args])).stdout
    onTestFinished(() => tmux('kill-server').then(() => undefined))
    const program = `${process.execPath} ${join(repository, 'bin/rein.cjs')} attach worker; echo left with $?; cat`
    const env = Object.entries(box.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    await tmux('new-session', '-d', '-s', 'o', '-x', '80', '-y', '24', '-c', box.cwd, ...env, program)
    const seen = () => tmux('capture-pane', '-p', '-t', 'o')
    await untilSo(async () => /\[1: 80x23\][^]*Ctrl-q leaves it running\s*$/.test(await seen()))
    await tmux('send-keys', '-t', 'o', 'C-q')
    await untilSo(async () => (await seen()).includes('left with 0'))
    expect(await seen()).toMatch(/^\[detached\]\s+left with 0$/m)
    expect(await box.client().ps({})).toMatchObject([{ handle: 'worker' }])
    await box.client().down({ target: 'worker', cwd: box.cwd })
  },
)

test.runIf(hasTmux)('where tmux is not on the PATH, attach says so, and how to read what the agent does', async () => {
  const box = boxWithScreen()
  await up(box, 'tmux')
  const PATH = join(box.root, 'bin')
  linkProgramsBut(/^tmux$/, PATH)
  const person = personAt(['attach', 'worker'], { cwd: box.cwd, env: { ...box.env, PATH } })
  const { code, output } = await person.ended
  expect(code).toBe(3)
  expect(output).toContain('tmux is not on your PATH, and worker runs in it.')
  expect(output).toContain('rein logs worker --follow')
  await box.client().down({ target: 'worker', cwd: box.cwd })
})

test.runIf(hasTmux)(
  'agents in tmux stand side by side in the session that is set, and leave it when they end',
  async () => {
    const box = boxWithScreen({ REIN_TMUX_SESSION: 'crew' })
    for (const handle of ['worker', 'second']) await up(box, 'tmux', handle)
    const windows = () =>
      runTmux(join(box.paths.runtime, 'tmux.sock'), 'list-windows', '-t', '=crew', '-F', '#{window_name}').then(
        (names) => names.trim().split('\n'),
        () => [],
      )
    expect(await windows()).toEqual(['worker', 'second'])
    await box.client().down({ target: 'worker', cwd: box.cwd })
    await untilSo(async () => (await windows()).join() === 'second')
    await box.client().down({ target: 'second', cwd: box.cwd })
    await untilSo(async () => (await windows()).length === 0)
  },
)

test('a screen that nobody knows is a question after the time that is set', async () => {
  const box = createBox({ REIN_AGENTS_SCREEN_QUIET_S: '1' })
  // It is drawn anew every three seconds: after four it would never have stood still.
  const dialog = (word: string): string =>
    `printf '\\033[2J\\033[HA ${word} thing!\\n\\n❯ Try it\\n  Not now\\n\\nEnter to confirm\\n'`
  const draw = `while :; do ${dialog('new')}; sleep 3; ${dialog('shiny')}; sleep 3; done`
  const version = `[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }`
  writeFileSync(join(box.root, 'claude'), `#!/bin/sh\n${version}\n${draw}\n`, { mode: 0o755 })
  expect(await up(box)).toMatchObject({ state: 'awaiting_answer', question: { options: ['Try it', 'Not now'] } })
  await box.client().down({ target: 'worker', cwd: box.cwd })
  await noKeeper(box)
})
