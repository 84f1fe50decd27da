import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import { isAlive } from '../../src/contract/agent.ts'
import { tmuxSocket } from '../../src/agents/hosts/hosts.ts'
import { quoted } from '../../src/base/util/shell.ts'
import { hasTmux } from '../support/abilities.ts'
import { commandAgents, runUnder } from './commanded-agent.ts'
import { actingAs, type Box, createBox, repository, run, select, until } from './harness.ts'
import { endpointOf } from './mcp-call.ts'

const rein = `${quoted(process.execPath)} ${quoted(join(repository, 'bin/rein.cjs'))}`

let box: Box
/** Nothing of what makes an agent, and all that a person has. */
let bare = ''
beforeAll(async () => {
  let clean = (): void => undefined
  box = createBox({}, (end) => {
    clean = end
  })
  commandAgents(box)
  await box.runningAgent('vic')
  await box.runningAgent('mallory')
  const own = ['PATH', 'HOME', 'REIN_HOME'].map((name) => `${name}=${quoted(box.env[name] ?? '')}`)
  bare = `env -i ${own.join(' ')}`
  return clean
})

const under = (line: string) => runUnder(box, 'mallory', line)

const curl = (path: string, body: object, ...more: string[]): string =>
  ['curl', '-s', '-X', 'POST', '-H', quoted('Content-Type: application/json'), '--data', quoted(JSON.stringify(body))]
    .concat(more, `http://rein${path}`)
    .join(' ')

const byPort = (path: string, body: object): string => {
  const { port, token } = endpointOf(box)
  return curl(path, body, '-H', quoted(`Authorization: Bearer ${token}`)).replace(
    'http://rein',
    `http://127.0.0.1:${port}`,
  )
}

const bySocket = (path: string, body: object): string => curl(path, body, '--unix-socket', quoted(box.paths.socket))

/** Its parent ends before it begins, so it belongs to init by then; `through` starts its shell. */
const orphaned = (line: string, through = ''): string => {
  const child = `while [ -e /proc/$parent ]; do sleep 0.02; done; ${line} >$dir/out 2>&1; echo $? >$dir/new; mv $dir/new $dir/code`
  const parent = `${through} dir=$dir parent=$$ sh -c ${quoted(child)} </dev/null >/dev/null 2>&1 &`
  return `export dir=$(mktemp -d ${box.root}/orphan-XXXXXX); sh -c ${quoted(parent)}; while [ ! -e $dir/code ]; do sleep 0.02; done; cat $dir/out; exit $(cat $dir/code)`
}

/** Nothing is left of where it comes from that it could take off. */
const uprooted = (line: string): string => orphaned(line, `setsid ${bare}`)

const target = () => ({ target: 'vic', cwd: box.cwd })
const tell = (words: string) => ({ ...target(), text: words, from: 'the boss', type: 'directive', expiresInMs: null })

/** Who is on the log as the sender of a text. */
const senderOf = (words: string): string[] =>
  select(box.paths, "SELECT actor FROM record WHERE type = 'directive.accepted' AND body LIKE ?", `%${words}%`).map(
    ({ actor }) => (JSON.parse(String(actor)) as { handle?: string; kind: string }).handle ?? 'a person',
  )

const ways: [string, (args: string) => string][] = [
  ['as it is', (args) => `rein ${args}`],
  ['without its token', (args) => `env -u REIN_TOKEN rein ${args}`],
  ['with an empty environment', (args) => `${bare} ${rein} ${args}`],
  ['in a session of its own', (args) => `setsid -w ${bare} ${rein} ${args}`],
  ['after its parent has ended', (args) => orphaned(`${bare} ${rein} ${args}`)],
  ['after its parent has ended, in a session of its own', (args) => uprooted(`${rein} ${args}`)],
]

describe('whoever runs under an agent is that agent', () => {
  test.each(ways)('%s', async (how, line) => {
    for (const args of ['answer vic allow', 'down vic', 'up eve', 'interrupt vic', 'daemon rebuild']) {
      const { code, stdout } = await under(line(`${args} --json`))
      expect([args, code, stdout]).toEqual([args, 5, expect.stringContaining('"forbidden"')])
    }
    const words = `hello, ${how}`
    expect(await under(line(`tell vic ${quoted(words)} --from boss`))).toMatchObject({ code: 0 })
    expect(senderOf(words)).toEqual(['mallory'])
  })

  test.each([
    ['the socket', bySocket],
    ['the port, with the token of the user', byPort],
  ])('by a request of its own through %s', async (how, request) => {
    expect((await under(request('/v1/agents/down', target()))).stdout).toContain('"forbidden"')
    expect((await under(request('/v1/agents/answer', { ...target(), answer: 'allow' }))).stdout).toContain(
      '"forbidden"',
    )
    await under(request('/v1/directives', { id: undefined, ...tell(`by hand through ${how}`) }))
    expect(senderOf(`by hand through ${how}`)).toEqual(['mallory'])
  })

  test.runIf(hasTmux)('by the tmux server that Rein has for agents', async () => {
    const socket = tmuxSocket(box.paths)
    await runTmux(socket, 'new-session', '-d', 'exec cat')
    onTestFinished(() => void runTmux(socket, 'kill-server'))
    const out = join(box.root, 'by-tmux')
    const line = `${bare} ${rein} down vic --json >${out}.new; mv ${out}.new ${out}`
    await under(`tmux -S ${socket} run-shell ${quoted(line)}`)
    await until(() => existsSync(out))
    expect(readFileSync(out, 'utf8')).toContain('This process was started by an agent.')
  })

  test('with the token of another one', async () => {
    const env = Object.entries(actingAs(box, 'vic')).map(([name, value]) => `${name}=${quoted(value)}`)
    expect(await under(`${env.join(' ')} rein tell vic 'as vic'`)).toMatchObject({ code: 0 })
    expect(senderOf('as vic')).toEqual(['mallory'])
  })

  test('with the name that a person has taken: only that process can have it', async () => {
    const held = spawn(process.execPath, [join(repository, 'bin/rein.cjs'), 'logs', 'vic', '--follow'], {
      cwd: box.cwd,
      env: box.env,
    })
    onTestFinished(() => void held.kill())
    const shown = (): string => readFileSync(`/proc/${held.pid}/comm`, 'utf8').trim()
    await until(() => shown().startsWith('rein-'))
    const header = (secret: string) => ['-H', quoted(`x-rein-caller: ${held.pid}.${secret}`)]
    const socket = ['--unix-socket', quoted(box.paths.socket)]
    for (const secret of [shown(), `${shown()}aaaaaaaa`])
      expect((await under(curl('/v1/agents/down', target(), ...socket, ...header(secret)))).stdout).toContain(
        '"forbidden"',
      )
  })

  test('what it leaves behind stays its own when it has ended, and does nothing more', async () => {
    await box.runningAgent('gone')
    const [go, out] = [join(box.root, 'go'), join(box.root, 'left-behind')]
    const left = `while [ ! -e ${go} ]; do sleep 0.02; done; ${bare} ${rein} tell vic late --json >${out}.new; mv ${out}.new ${out}`
    // Without the variable by which leftovers are found and ended.
    await runUnder(box, 'gone', `setsid env -i PATH="$PATH" sh -c ${quoted(left)} </dev/null >/dev/null 2>&1 &`)
    await box.client().down({ target: 'gone', cwd: box.cwd })
    expect((await run(['touch', go], {})).code).toBe(0)
    await until(() => existsSync(out))
    expect(readFileSync(out, 'utf8')).toContain('the agent gone, which has ended')
  })

  test('all agents go on', async () => {
    const agents = await box.client().ps({})
    expect(agents.filter(({ state }) => isAlive(state)).map(({ handle }) => handle)).toEqual(['vic', 'mallory'])
  })
})

describe('a person is one', () => {
  const shell = (line: string) => run(['sh', '-c', line], { env: box.env, cwd: box.cwd })

  test.each([
    ['in a shell', (args: string) => `${rein} ${args}`],
    ['with an empty environment, as cron has it', (args: string) => `${bare} ${rein} ${args}`],
    ['in a session of its own', (args: string) => `setsid -w ${rein} ${args}`],
    ['after its parent has ended', (args: string) => orphaned(`${rein} ${args}`)],
  ])('%s', async (how, line) => {
    expect(await shell(line(`tell vic ${quoted(`person, ${how}`)}`))).toMatchObject({ code: 0 })
    expect(senderOf(`person, ${how}`)).toEqual(['a person'])
  })

  test.each([
    ['the socket', bySocket],
    ['the port, with the token of the user', byPort],
  ])('by a request of their own through %s', async (how, request) => {
    await shell(request('/v1/directives', tell(`person by hand through ${how}`)))
    expect(senderOf(`person by hand through ${how}`)).toEqual(['a person'])
  })
})

describe('an agent leaves the daemon as it is', () => {
  test('that hangs: it does not kill it', async () => {
    const { pid = 0 } = box.registered() ?? {}
    process.kill(pid, 'SIGSTOP')
    expect(await under(uprooted(`${rein} daemon stop`))).toMatchObject({
      code: 6,
      stdout: expect.stringContaining(`(pid ${pid}) does not answer`),
    })
    expect(box.registered()).toMatchObject({ pid })
    process.kill(pid, 'SIGKILL')
    await until(() => box.registered() === null)
  })

  test.each(ways)('that is dead: it starts none, %s', async (_, line) => {
    for (const args of ['ps', 'daemon start', 'daemon start --foreground']) {
      const { code, stdout, stderr } = await under(line(args))
      expect([code, `${stdout}${stderr}`]).toEqual([expect.any(Number), expect.stringMatching(/person/i)])
      expect(code).not.toBe(0)
    }
    expect(box.registered()).toBeNull()
  })

  test('a person starts it again', async () => {
    expect(await box.rein(['ps'])).toMatchObject({ code: 0, stdout: expect.stringContaining('mallory') })
  })
})

describe('what is open', () => {
  /** A tmux server, at or cron do the same: then the kernel shows a process of the person. */
  test('an agent that lets another program of the person act for it counts as the person', async () => {
    const orders = join(box.root, 'helper')
    const helper = spawn('sh', ['-c', `mkfifo ${orders}; while :; do sh ${orders}; done`], {
      cwd: box.cwd,
      env: box.env,
    })
    onTestFinished(() => void helper.kill())
    await until(() => existsSync(orders))
    await under(`echo ${quoted(`${rein} tell vic 'by a helper'`)} >${orders}`)
    await until(() => senderOf('by a helper').length > 0)
    expect(senderOf('by a helper')).toEqual(['a person'])
  })
})
