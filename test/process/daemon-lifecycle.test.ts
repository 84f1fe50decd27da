import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asReinError, ReinError } from '../../src/contract/errors.ts'
import { takeLock } from '../../src/base/store/lock.ts'
import { version } from '../../src/base/util/version.ts'
import { acceptedIds, type Box, createBox, gone, repository, until } from './harness.ts'
import { leftovers, listening, startAtOnce, startOver } from './leftovers.ts'

const tellAll = (box: Box, count: number): Promise<PromiseSettledResult<{ id: string }>[]> =>
  Promise.allSettled(
    [...Array(count).keys()].map((n) =>
      box.client({ start: false }).tell({ target: 'worker', cwd: box.cwd, text: `number ${n}`, from: 'tester' }),
    ),
  )

const idsOf = (told: PromiseSettledResult<{ id: string }>[]): string[] =>
  told.filter((one) => one.status === 'fulfilled').map((one) => one.value.id)

describe('a daemon starts unaided', () => {
  test('by the first command that needs it', async () => {
    const box = createBox()
    expect(await box.rein(['ps'])).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await box.rein(['daemon', 'status', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ pid: box.registered()?.pid, version, agents: 0 })
  })

  const alone = leftovers.map((one) => [one])
  test.each([[], ...alone, [...leftovers]].map((which) => ({ which })))('over $which', async ({ which }) => {
    const { started, registered, stopped } = await startOver(createBox(), which)
    expect([registered, stopped]).toEqual([started, { stopped: true, pid: started, killed: false }])
  })

  test('over notes of hooks that nobody can read', async () => {
    const box = createBox()
    mkdirSync(join(box.paths.spool, '1-a-directory.json'), { recursive: true, mode: 0o700 })
    chmodSync(box.paths.state, 0o700)
    writeFileSync(join(box.paths.spool, '2-no-json.json'), '{"driver":')
    writeFileSync(join(box.paths.spool, '3-no-driver.json'), '{"driver":"none","event":"Stop"}')
    await box.client().hello()
    expect(readdirSync(box.paths.spool)).toEqual(['1-a-directory.json'])
    expect(box.log().filter((entry) => entry['where'] === 'spool').length).toBe(1)
  })

  test.each(['file', 'directory', 'link'])('but not over a %s where its socket belongs', async (kind) => {
    const box = createBox()
    for (const dir of [box.paths.state, box.paths.runtime]) mkdirSync(dir, { mode: 0o700 })
    const precious = join(box.root, 'precious')
    writeFileSync(precious, 'mine')
    if (kind === 'file') writeFileSync(box.paths.socket, 'mine')
    if (kind === 'directory') mkdirSync(box.paths.socket)
    if (kind === 'link') symlinkSync(precious, box.paths.socket)
    const { code, stderr } = await box.rein(['ps'])
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining(`${box.paths.socket} is not a socket.`),
    })
    expect(lstatSync(box.paths.socket).isSocket()).toBe(false)
    expect(readFileSync(precious, 'utf8')).toBe('mine')
  })
})

const isLocked = (path: string): boolean => {
  const lock = takeLock(path)
  lock?.release()
  return lock === null
}

describe('one daemon', () => {
  test('serves clients that all start it at once, and losers leave its socket alone', async () => {
    const { daemons, served, ends, inodes } = await startAtOnce(createBox(), 4)
    expect([daemons, served]).toEqual([1, true])
    expect(ends).toEqual([0])
    expect(inodes[1]).toBe(inodes[0])
  })

  test('in the foreground does not pretend to be a second one', async () => {
    const box = createBox()
    const { pid } = await box.client().hello()
    const second = await box.rein(['daemon', 'start', '--foreground'])
    expect(second).toMatchObject({ code: 5, stderr: expect.stringContaining('running already') })
    await expect(box.client().hello()).resolves.toMatchObject({ pid })
  })

  test('stays the only one when its lock file is removed, and has one again', async () => {
    const box = createBox()
    const { pid } = await box.daemon()
    rmSync(box.paths.lock)
    const second = await box.daemon()
    expect(box.registered()?.pid).toBe(pid)
    expect(await second.ended).toBe(0)
    const watched = await box.rein(['daemon', 'start', '--foreground'])
    expect(watched).toMatchObject({ code: 5, stderr: expect.stringContaining('running already') })
    await until(() => isLocked(box.paths.lock))
    await expect(box.client().hello()).resolves.toMatchObject({ pid })
  })

  test('is found from a shell with another runtime directory', async () => {
    const box = createBox()
    const { REIN_HOME: _, ...env } = box.env
    const [one, two] = ['one', 'two'].map((name) => join(box.root, name)) as [string, string]
    for (const dir of [one, two]) mkdirSync(dir, { mode: 0o700 })
    const status = async (more: Record<string, string>) =>
      JSON.parse((await box.rein(['daemon', 'start', '--json'], { env: { ...more, REIN_HOME: '' } })).stdout) as object
    const first = await status({ ...env, XDG_RUNTIME_DIR: one })
    const others = [await status({ ...env, XDG_RUNTIME_DIR: two }), await status(env)]
    for (const other of others) expect(other).toMatchObject({ pid: (first as { pid: number }).pid })
    await box.rein(['daemon', 'stop'], { env: { ...env, REIN_HOME: '' } })
  })

  test('that is older is replaced, with what it had accepted', async () => {
    const box = createBox()
    const old = join(box.root, 'old')
    cpSync(join(repository, 'dist'), join(old, 'dist'), { recursive: true })
    symlinkSync(join(repository, 'node_modules'), join(old, 'node_modules'))
    for (const name of readdirSync(join(old, 'dist')).filter((each) => each.endsWith('.js'))) {
      const file = join(old, 'dist', name)
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`\`${version}\``, '`0.0.1`'))
    }
    const daemon = await box.daemon({ script: join(old, 'dist/daemon.js') })
    await expect(box.client({ env: { REIN_TOKEN: 'x' }, start: false }).hello()).rejects.toThrow(ReinError)
    await box
      .client({ start: false })
      .hello()
      .then((hello) => expect(hello.version).toBe('0.0.1'))
    const { pid } = await box.client().status()
    expect(await daemon.ended).toBe(0)
    expect(pid).not.toBe(daemon.pid)
    await expect(box.client().hello()).resolves.toMatchObject({ pid, version })
  })
})

describe('an agent', () => {
  const up = (box: Box, prompt?: string) =>
    box.client().up({
      handle: 'worker',
      driver: 'claude',
      host: 'stream',
      request: { cwd: box.cwd, env: {}, args: [], ...(prompt === undefined ? {} : { prompt }) },
      env: box.env,
    })

  test('outlives its daemon and is taken over by the next', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    const { pid } = await up(box)
    await daemon.kill()
    expect(await box.client().ps({})).toEqual([expect.objectContaining({ pid, state: 'idle' })])
    await expect(box.client().down({ target: 'worker', cwd: box.cwd })).resolves.toMatchObject({ state: 'stopped' })
  })

  test('that cannot be reached any more does not keep the next daemon from starting', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    const { pid } = await up(box)
    await daemon.kill()
    rmSync(join(box.paths.state, 'agents'), { recursive: true })
    expect(await box.client().ps({})).toEqual([expect.objectContaining({ pid })])
    await expect(box.client().down({ target: 'worker', cwd: box.cwd })).resolves.toMatchObject({ state: 'stopped' })
  })

  test.each([undefined, 'begin'])('that ends at once is an error with its last words (prompt: %s)', async (prompt) => {
    const box = createBox()
    const script = '#!/bin/sh\n[ "$1" = --version ] && exec echo 2.1.197\necho "no licence" >&2\nexit 3\n'
    writeFileSync(join(box.root, 'claude'), script, { mode: 0o755 })
    await expect(up(box, prompt)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('no licence'),
    })
    expect(await box.client().ps({})).toEqual([expect.objectContaining({ state: 'crashed', pid: null })])
  })
})

describe('a daemon that ends', () => {
  test.each(['stop', 'SIGTERM', 'SIGINT'] as const)('by %s keeps all it has answered for, and says 0', async (how) => {
    const box = createBox()
    const daemon = await box.daemon()
    await box.stoppedAgent()
    const telling = tellAll(box, 12)
    const ending = how === 'stop' ? box.client({ start: false }).stop() : daemon.child.kill(how)
    const [told] = await Promise.all([telling, ending])
    expect(await daemon.ended).toBe(0)
    const kept = acceptedIds(box.paths)
    expect(kept).toEqual(expect.arrayContaining(idsOf(told)))
    const refusals = told.filter((one) => one.status === 'rejected').map(({ reason }) => asReinError(reason).code)
    expect(refusals.filter((code) => code !== 'unavailable')).toEqual([])
    // Waiters of agents that live on may still listen there, and those agents may have to be started again.
    expect(readdirSync(box.paths.runtime)).toEqual(['environments', 'in', 'waiters'])
  })

  test('by stop tells those who follow, and answers a request that it has half', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    await box.stoppedAgent()
    const following = box.client({ start: false }).tail({ topic: 'agents', after: 0, follow: true })
    await following.next()
    const end = (async () => {
      for await (const _ of following);
    })()
    const body = JSON.stringify({ target: 'worker', cwd: box.cwd, text: 'in two halves', from: 'tester' })
    const half = connect(box.paths.socket)
    half.write(
      `POST /v1/directives HTTP/1.1\r\nHost: rein\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    )
    await box.client().hello()
    daemon.child.kill('SIGTERM')
    await expect(end).rejects.toMatchObject({ code: 'unavailable', message: 'The daemon is stopping.' })
    half.write(body.slice(20))
    expect(await text(half)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await daemon.ended).toBe(0)
    expect(acceptedIds(box.paths).length).toBe(1)
  })

  test('by kill -9 is followed by another with the same port, token and directives', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    await box.stoppedAgent()
    const told = idsOf(await tellAll(box, 5))
    const endpoint = readFileSync(box.paths.endpoint, 'utf8')
    await daemon.kill()
    const { stdout } = await box.rein(['inbox', 'worker', '--json'])
    expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(told.toSorted())
    expect(readFileSync(box.paths.endpoint, 'utf8')).toBe(endpoint)
    expect(box.registered()?.port).toBe((JSON.parse(endpoint) as { port: number }).port)
  })
})

test('a port that somebody else has taken is given up, and the log says so', async () => {
  const box = createBox()
  await box.client().hello()
  const port = box.registered()?.port ?? 0
  await box.client().stop()
  const other = await listening(createServer(), port)
  onTestFinished(() => void other.close())
  await box.client().hello()
  expect(box.registered()?.port).not.toBe(port)
  const troubles = box.log().filter((entry) => entry['where'] === 'port')
  expect(troubles).toEqual([expect.objectContaining({ reason: expect.stringContaining(String(port)) })])
})

// Together, because they mostly wait.
describe.concurrent('a daemon', () => {
  test.for(['runtime', 'state'] as const)(
    'whose %s directory is gone makes room',
    async (which, { onTestFinished: atTheEnd }) => {
      const box = createBox({}, atTheEnd)
      const daemon = await box.daemon()
      // In one step: a daemon that still writes there would be in the way of one file after the other.
      renameSync(box.paths[which], `${box.paths[which]}.gone`)
      const next = await box.rein(['daemon', 'start', '--json'])
      // Nobody asked it to: a service manager starts one again.
      expect(await daemon.ended).toBe(1)
      expect(next).toMatchObject({ code: 0, stderr: '' })
      expect(await box.rein(['ps'])).toMatchObject({ code: 0 })
      expect(box.registered()?.pid).toBe((JSON.parse(next.stdout) as { pid: number }).pid)
    },
  )

  test('that hangs is an error in time, and serves again when it goes on', async ({ onTestFinished: atTheEnd }) => {
    const box = createBox({}, atTheEnd)
    const daemon = await box.daemon()
    daemon.child.kill('SIGSTOP')
    const hurried = box.client({ timeoutMs: 300 })
    const calls = [hurried.ps({}), hurried.hello(), hurried.tell({ target: 'a', cwd: box.cwd, text: 'x', from: 'me' })]
    const answers = await Promise.allSettled(calls)
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: { code: expect.stringMatching(/^(unavailable|not_in_time)$/) } })
    expect(await box.rein(['tell', 'worker', 'hello'])).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(new RegExp(`\\(pid ${daemon.pid}\\) does not answer[^]*rein daemon stop`)),
    })
    daemon.child.kill('SIGCONT')
    await expect(box.client().hello()).resolves.toMatchObject({ pid: daemon.pid })
    await box.client().stop()
    await gone(daemon.pid)
  })

  test('that hangs is ended as its error advises, by its pid and start time, and another one starts', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    daemon.child.kill('SIGSTOP')
    const hurried = (env = {}) => box.client({ timeoutMs: 300, start: false, env })
    await expect(hurried().ps({})).rejects.toMatchObject({ hint: expect.stringContaining('rein daemon stop') })
    await expect(hurried({ REIN_TOKEN: 'x' }).stop()).rejects.toThrow('does not answer')
    const registered = readFileSync(box.paths.registration, 'utf8')
    writeFileSync(box.paths.registration, JSON.stringify({ ...(JSON.parse(registered) as object), startTime: '1' }))
    await expect(hurried().stop()).rejects.toThrow('does not answer')
    writeFileSync(box.paths.registration, registered)
    expect(await box.rein(['daemon', 'stop'])).toMatchObject({
      code: 0,
      stdout: `The daemon (pid ${daemon.pid}) did not answer and was killed.\n`,
    })
    expect(await daemon.ended).toBe('SIGKILL')
    expect(await box.rein(['ps'])).toMatchObject({ code: 0, stderr: '' })
  })
})
