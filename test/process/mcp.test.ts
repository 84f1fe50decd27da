import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { type Box, createBox, type Env, repository } from './harness.ts'
import { call, endpointOf, post, toCalled, tokenOf, toolCall } from './mcp-call.ts'
import { quiet } from './team-box.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** `rein mcp` as an agent CLI runs it. */
const startBridge = (box: Box, env: Env = {}) => {
  const child = spawn(process.execPath, [join(repository, 'bin/rein.cjs'), 'mcp'], {
    cwd: box.cwd,
    env: { ...box.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (message: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const { value } = await lines.next()
    return JSON.parse(String(value))
  }
  const end = async (): Promise<unknown> => {
    child.stdin.end()
    return (await once(child, 'exit'))[0]
  }
  return { ask, end, notify: (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`) }
}

describe('over the loopback port', () => {
  let box: Box
  let [worker, other, user] = ['', '', '']
  beforeAll(async () => {
    let clean = (): void => undefined
    box = createBox(quiet, (end) => {
      clean = end
    })
    await box.runningAgent('worker')
    await box.runningAgent('other')
    ;[worker, other, user] = [tokenOf(box, 'worker'), tokenOf(box, 'other'), endpointOf(box).token]
    return clean
  })

  const tell = async (words: string, target = 'worker'): Promise<string> =>
    (await box.client().tell({ target, cwd: box.cwd, text: words, from: 'tester' })).id

  test('an agent lists and reads its own directives, fenced, and that counts as read', async () => {
    const [own, foreign] = [await tell('Use "tabs".\nAlways.'), await tell('Not yours.', 'other')]
    const list = await call(box, worker, 'read_inbox')
    expect(list.text).toContain(`${own} for worker from "tester"`)
    expect(list.text).toContain(String.raw`"Use \"tabs\". Always."`)
    expect(list.text).not.toContain(foreign)
    const read = await call(box, worker, 'read_inbox', { id: own })
    expect(read.text).toMatch(new RegExp(`^<rein-directive id="${own}" from="tester"`))
    expect(read.text).toContain('\n| Always.\n</rein-directive')
    expect((await box.client().receipt({ id: own })).steps.at(-1)).toMatchObject({
      state: 'offered',
      via: 'read',
      parts: [1],
    })
  })

  test('a long text comes in parts', async () => {
    const id = await tell(`${'long line\n'.repeat(4000)}the end`)
    const texts: string[] = []
    for (let more = true; more; more = !texts.at(-1)?.includes('the end'))
      texts.push((await call(box, worker, 'read_inbox', { id })).text)
    const counted = texts.flatMap((one) => [...one.matchAll(/^<rein-directive .* part="(\d+)\//gm)].map(([, n]) => n))
    expect(counted).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(Math.max(...texts.map((one) => one.length))).toBeLessThan(17_000)
    expect((await call(box, worker, 'read_inbox', { id, part: 99 })).text).toBe('usage: There are 7 parts.')
  })

  test('what is for another agent is neither read nor acknowledged', async () => {
    const id = await tell('Only for worker.')
    for (const tool of ['read_inbox', 'ack_directive'])
      expect(await call(box, other, tool, { id })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^wrong_agent: dir_\S+ is/) as string,
      })
    expect((await box.client().receipt({ id })).state).toBe('queued')
  })

  test('an acknowledgement says how and by whom', async () => {
    const id = await tell('Do it.')
    expect(await call(box, worker, 'ack_directive', { id, note: 'done' })).toEqual({
      isError: false,
      text: `${id} is acked.`,
    })
    expect((await box.client().receipt({ id })).steps.at(-1)).toMatchObject({
      note: 'done',
      evidence: { source: 'command', detail: 'ack_directive by worker' },
    })
  })

  test('an agent tells another one, as itself', async () => {
    const told = await call(box, worker, 'tell_agent', { agent: 'other', text: 'Your turn.', priority: 'high' })
    const id = /^dir_\S+/.exec(told.text)?.[0] ?? ''
    expect(told.text).toMatch(/^dir_\S+ is queued for other\. /)
    const [read, listed] = [
      await call(box, other, 'read_inbox', { id }),
      await call(box, other, 'read_inbox').then((list) => list.text.split('\n').find((line) => line.startsWith(id))),
    ]
    expect(read.text).toContain('from="agent worker"')
    expect(listed).toContain('directive, high, offered')
  })

  test('whoever is no agent gets texts fenced, and acknowledges nothing', async () => {
    const id = await tell('For worker.')
    expect((await call(box, user, 'read_inbox', { id })).text).toContain('\n| For worker.\n</rein-directive')
    expect((await box.client().receipt({ id })).steps.map(({ state }) => state)).not.toContain('offered')
    expect((await call(box, user, 'ack_directive', { id })).text).toContain('forbidden: Only the agent it is for')
  })

  test('failures are results that say what to do', async () => {
    expect(await call(box, worker, 'ack_directive', { id: 'dir_none' })).toEqual({
      isError: true,
      text: 'unknown_directive: There is no directive dir_none. List them: rein inbox --all',
    })
    expect(await call(box, worker, 'tell_agent', { agent: 'nobody', text: 'x' })).toMatchObject({ isError: true })
    expect(await call(box, worker, 'tell_agent', { agent: 'other' })).toMatchObject({ isError: true })
  })

  test.each([
    ['no token', () => ({})],
    ['a forged token', () => ({ authorization: `Bearer ${worker.slice(0, -3)}AAA` })],
    ['a foreign Host', () => ({ authorization: `Bearer ${worker}`, host: 'evil.example' })],
    ['a foreign Origin', () => ({ authorization: `Bearer ${worker}`, origin: 'http://evil.example' })],
  ])('%s is refused', async (_, headers) => {
    expect((await post(box, initialize, headers())).status).toBe(403)
  })

  test('offers no stream of news', async () => {
    const headers = { authorization: `Bearer ${worker}`, accept: 'text/event-stream' }
    expect((await fetch(`http://127.0.0.1:${endpointOf(box).port}/mcp`, { headers })).status).toBe(405)
  })
})

describe('rein mcp', () => {
  test('speaks MCP as the agent whose token it has, and ends with its standard input', async () => {
    const box = createBox(quiet)
    await box.runningAgent('worker')
    const { id } = await box.client().tell({ target: 'worker', cwd: box.cwd, text: 'Hello.', from: 'tester' })
    const bridge = startBridge(box, { REIN_TOKEN: tokenOf(box, 'worker'), REIN_SOCKET: box.paths.socket })
    expect(await bridge.ask(initialize)).toMatchObject({ id: 0, result: { serverInfo: { name: 'rein' } } })
    bridge.notify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const listed = (await bridge.ask({ jsonrpc: '2.0', id: 'a', method: 'tools/list' })) as {
      result: { tools: { name: string }[] }
    }
    const page = readFileSync(join(repository, 'docs/mcp.md'), 'utf8')
    const documented = new Set([...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name))
    expect(new Set(listed.result.tools.map(({ name }) => name)), 'docs/mcp.md has a row for each tool').toEqual(
      documented,
    )
    expect(toCalled(await bridge.ask(toolCall('ack_directive', { id }))).text).toBe(`${id} is acked.`)
    expect((await box.client().receipt({ id })).steps.at(-1)?.evidence?.detail).toBe('ack_directive by worker')
    expect(await bridge.end()).toBe(0)
  })

  test('goes on when the daemon was killed, with the next one', async () => {
    const box = createBox()
    await box.stoppedAgent('worker')
    const bridge = startBridge(box)
    await bridge.ask(initialize)
    const tell = toolCall('tell_agent', { agent: 'worker', text: 'One.' })
    const before = toCalled(await bridge.ask(tell)).text
    const daemon = box.registered()?.pid ?? 0
    killProcess(daemon)
    const after = toCalled(await bridge.ask(tell)).text
    expect([before, after]).toEqual(Array(2).fill(expect.stringMatching(/^dir_\S+ is held for worker\./)))
    expect(box.registered()?.pid).not.toBe(daemon)
    expect(await bridge.end()).toBe(0)
  })

  test('answers what is no message, and says when there is no daemon to answer', async () => {
    const box = createBox()
    const env = { REIN_TOKEN: 'x', REIN_SOCKET: box.paths.socket }
    const { code, stdout } = await box.rein(['mcp'], {
      env,
      stdin: `nonsense\n${JSON.stringify(toolCall('list_agents', {}))}\n`,
    })
    const answers = stdout.split('\n').filter(Boolean)
    expect(answers.map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { id: 1, error: { code: -32_000, message: expect.stringContaining('not running') as string } },
    ])
    expect(code).toBe(0)
  })
})
