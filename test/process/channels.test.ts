import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandOutputs } from '../../src/contract/command-outputs.ts'
import { routes } from '../../src/contract/routes/all.ts'
import type { AdapterView, ReceivedView, TokenView } from '../../src/contract/routes/channels.ts'
import { shortId } from '../../src/contract/ids.ts'
import type { Row } from '../../src/base/store/sqlite.ts'
import { actingAs, type Box, createBox, gone, type OwnDaemon, select } from './harness.ts'
import { runCli } from './in-process-cli.ts'

const say = async (box: Box, channel: string, text: string): Promise<ReceivedView> =>
  box.client().receive({ name: channel, content: text })

/** What lies in the inbox of an agent, in order. */
const inboxOf = async (box: Box, target = 'worker'): Promise<string[]> =>
  (await box.client().inbox({ target, cwd: box.cwd })).map(({ excerpt }) => excerpt)

const upped = (box: Box, handle: string, more: object) =>
  box.client().up({
    handle,
    driver: 'claude',
    host: 'stream',
    request: { cwd: box.cwd, env: {}, args: [], ...more },
    env: box.env,
  })

describe('what waits for an agent', () => {
  test('comes to it in the order of arrival, over a daemon that was killed, and then what is new', async () => {
    const box = createBox()
    const first = await box.daemon()
    await box.stoppedAgent()
    const channels = ['phone', 'timer', 'phone', 'mail', 'timer', 'in']
    for (const [n, channel] of channels.entries()) await say(box, channel, `message ${n}`)
    await first.kill()
    const second = await box.daemon()
    await say(box, 'mail', 'message 6')
    expect(await inboxOf(box)).toEqual([])
    const { code, stdout } = await runCli(box, ['channel', 'route', 'phone', 'worker'])
    expect([code, stdout]).toEqual([0, 'Messages of phone go to worker.\n'])
    expect(await inboxOf(box)).toEqual(['message 0', 'message 2'])
    await second.kill()
    await box.daemon()
    await runCli(box, ['channel', 'default', 'worker'])
    await say(box, 'timer', 'message 7')
    expect(await inboxOf(box)).toEqual([0, 2, 1, 3, 4, 5, 6, 7].map((n) => `message ${n}`))
    expect((await box.client().channels()).channels.filter(({ held }) => held > 0)).toEqual([])
  })

  test('has a receipt that says so, and becomes what it is for', async () => {
    const box = createBox()
    await box.stoppedAgent()
    const { id } = await say(box, 'phone', 'hello')
    const told = await runCli(box, ['receipt', id])
    expect([told.code, told.stdout]).toEqual([
      0,
      expect.stringMatching(/^msg_\S+ for -: held\n {2}.* held +no route\n$/),
    ])
    const { stdout } = await runCli(box, ['receipt', id, '--json'])
    const receipt = routes.receipt.output.parse(JSON.parse(stdout))
    expect(receipt).toMatchObject({ id, state: 'held', steps: [{ state: 'held', reason: 'no_route' }] })

    const steps = box.client().follow({ id, until: 'closed' })
    expect((await steps.next()).value).toMatchObject({ state: 'held', steps: [{ reason: 'no_route' }] })
    await box.client().routeChannel({ name: 'phone', target: 'worker', cwd: box.cwd })
    expect((await steps.next()).value).toMatchObject({ id, handle: 'worker' })
    await steps.return(undefined)
    expect(await box.client().receipt({ id })).toMatchObject({ handle: 'worker', steps: [{ state: 'queued' }] })
    await expect(box.client().receipt({ id: 'msg_nosuch' })).rejects.toMatchObject({ code: 'unknown_directive' })
  })

  test('waits on while the agent has no room, and its receipt names whom it waits for', async () => {
    const box = createBox({ REIN_INBOX_LIMIT: '1' })
    await box.stoppedAgent()
    await box.client().routeChannel({ name: 'phone', target: 'worker', cwd: box.cwd })
    const [first, second] = [await say(box, 'phone', 'one'), await say(box, 'phone', 'two')]
    expect([first.state, second.state, second.reason]).toEqual(['routed', 'held', 'inbox_full'])
    expect(await box.client().receipt({ id: second.id })).toMatchObject({ handle: 'worker', state: 'held' })
    await box.client().cancel({ id: first.id })
    const steps = box.client().follow({ id: second.id, until: 'closed' })
    for await (const { state, steps: taken } of steps) if (state !== 'held' || taken[0]?.state === 'queued') break
    expect(await inboxOf(box)).toEqual(['two'])
  })

  test('goes to the default when its channel is forgotten', async () => {
    const box = createBox()
    await box.stoppedAgent()
    await upped(box, 'bold', { autoApprove: true })
    await box.client().defaultRoute({ target: 'worker', cwd: box.cwd })
    await box.client().routeChannel({ name: 'phone', target: 'bold', cwd: box.cwd, allowsBypass: true })
    await say(box, 'phone', 'one')
    await box.client().removeChannel({ name: 'phone' })
    await say(box, 'phone', 'two')
    expect([await inboxOf(box, 'bold'), await inboxOf(box)]).toEqual([['one'], ['two']])
  })
})

test('text that is longer than an inbox takes is refused, however much a channel might take', async () => {
  const box = createBox({ REIN_CHANNELS_MAX_TEXT_BYTES: '4096', REIN_INBOX_MAX_TEXT_BYTES: '1024' })
  await box.stoppedAgent()
  await box.client().defaultRoute({ target: 'worker', cwd: box.cwd })
  await expect(say(box, 'phone', 'x'.repeat(1025))).rejects.toMatchObject({ code: 'text_too_large' })
  await say(box, 'phone', 'short')
  expect(await inboxOf(box)).toEqual(['short'])
})

describe('an agent that asks nobody', () => {
  const hint = 'rein channel route phone bold --allow-bypass'

  test('gets no channel until that was confirmed', async () => {
    const box = createBox()
    await upped(box, 'bold', { autoApprove: true })
    await box.client().down({ target: 'bold', cwd: box.cwd })
    const refused = await runCli(box, ['channel', 'route', 'phone', 'bold'])
    expect([refused.code, refused.stdout]).toEqual([5, ''])
    expect(refused.stderr).toContain('bold would run its tools without asking')
    expect(refused.stderr).toContain(hint)
    const { code, stdout } = await runCli(box, ['channel', 'default', 'bold', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([5, { error: { code: 'refused' } }])
    expect((await box.client().channels()).fallback).toBeNull()
    expect((await say(box, 'phone', 'x')).reason).toBe('no_route')
    const confirmed = await runCli(box, ['channel', 'route', 'phone', 'bold', '--allow-bypass'])
    expect([confirmed.code, confirmed.stdout]).toEqual([0, 'Messages of phone go to bold.\n'])
    expect(await inboxOf(box, 'bold')).toEqual(['x'])
    expect((await runCli(box, ['channel', 'list'])).stdout).toMatch(/^phone .* bypass allowed$/m)
  })

  test('is not started where a channel leads to it', async () => {
    const box = createBox()
    await box.stoppedAgent('bold')
    await box.client().routeChannel({ name: 'phone', target: 'bold', cwd: box.cwd })
    const up = (...flags: string[]) => runCli(box, ['up', 'bold', '--host', 'stream', ...flags])
    for (const flags of [['--auto-approve'], ['--permission-mode', 'bypassPermissions'], ['--policy', 'approve']]) {
      const { code, stdout, stderr } = await up(...flags)
      expect([flags, code, stdout, stderr]).toEqual([flags, 5, '', expect.stringContaining(hint)])
    }
    expect(await box.client().ps({})).toEqual([])
    await runCli(box, ['channel', 'route', 'phone', 'bold', '--allow-bypass'])
    expect((await up('--auto-approve')).code).toBe(0)
  })
})

describe('the commands', () => {
  let box: Box
  let daemon: OwnDaemon
  beforeAll(async () => {
    let clean = (): void => undefined
    box = createBox({}, (end) => {
      clean = end
    })
    daemon = await box.daemon()
    await box.stoppedAgent()
    writeFileSync(join(box.cwd, 'secret'), 'a secret of the hub\n')
    writeFileSync(join(box.cwd, 'cat.json'), JSON.stringify({ command: ['cat'], channel: 'cat' }))
    writeFileSync(join(box.cwd, 'bad.json'), '{"command": 1}')
    return clean
  })

  /** What a command prints with --json, which has to be what is documented. */
  const printed = async (name: string, ...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCli(box, [...name.split(' ').slice(1), ...args, '--json'])
    expect([name, code, stderr]).toEqual([name, 0, ''])
    const value: unknown = JSON.parse(stdout)
    expect([name, commandOutputs[name]?.parse(value)]).toEqual([name, value])
    return value
  }

  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(box, args)
    expect([args, code, stderr]).toEqual([args, 0, ''])
    return stdout
  }

  test('make, change, list and forget channels', async () => {
    expect(await said('channel', 'create', 'phone', '--human', '--sender', 'ada', '--sender', '4711')).toMatch(
      /^CHANNEL .*\nphone +- +- +- +- +- +- +human; only from ada, 4711\nNo default route: a message without a route goes to the only running agent, or is held.\n$/,
    )
    expect(await printed('rein channel create', 'phone', '--keep')).toMatchObject({
      name: 'phone',
      isHuman: true,
      isKept: true,
      senders: ['ada', '4711'],
    })
    await box.client().createChannel({ name: 'gone', senders: ['ada'] })
    expect(await printed('rein channel create', 'gone', '--anyone')).toMatchObject({ name: 'gone', senders: null })
    expect(await printed('rein channel route', 'phone', 'worker')).toMatchObject({ route: { handle: 'worker' } })
    expect(await said('channel', 'route', 'phone', '--none')).toBe('phone has no route.\n')
    expect(await said('channel', 'default', 'worker')).toBe('Messages of channels without a route go to worker.\n')
    expect(await printed('rein channel default', '--none')).toMatchObject({ fallback: null })
    expect(await said('channel', 'default', '--none')).toBe(
      'Messages of channels without a route go to the agent that runs alone, else they are held.\n',
    )
    expect(await printed('rein channel list')).toMatchObject({
      channels: [{ name: 'gone' }, { name: 'in' }, { name: 'phone' }],
    })
    expect(await said('channel', 'list')).toMatch(/^phone +kept +- +- +- +- +- +human; only from ada, 4711$/m)
    expect(await said('channel', 'remove', 'phone')).toBe('phone is forgotten.\n')
    expect(await printed('rein channel remove', 'gone')).toMatchObject({ channels: [{ name: 'in' }] })
  })

  test('send in and out, and show what became of it', async () => {
    await box.client().createChannel({ name: 'desk', isKept: true })
    const held = (await printed('rein channel send', 'desk', 'one', '--from', 'ada', '--key', 'k')) as ReceivedView
    expect(held).toMatchObject({ state: 'held', agent: null, reason: 'no_route' })
    expect(await said('channel', 'send', 'desk', 'one', '--from', 'ada', '--key', 'k')).toBe(
      `${shortId(held.id)} is held (no_route).\n`,
    )
    await box.client().routeChannel({ name: 'desk', target: 'worker', cwd: box.cwd })
    expect(await said('channel', 'send', 'desk', 'two')).toMatch(
      /^(msg_\S+) is in the inbox of worker\.\nSee what becomes of it: rein receipt \1\n$/,
    )
    expect(await printed('rein channel send', 'desk', 'three', '--outgoing')).toMatchObject({
      state: 'kept',
      agent: null,
    })
    expect(await said('channel', 'send', 'desk', 'four', '--outgoing')).toMatch(
      /^out_\S+ is stored until a program takes it\.\n$/,
    )
    const [three, four] = await box.client().take({ name: 'desk', waitMs: 0 })
    await box.client().settle({ name: 'desk', id: three?.id ?? '', error: 'nobody there', retryInMs: null })
    await box.client().settle({ name: 'desk', id: four?.id ?? '' })
    expect(await printed('rein channel dead', 'desk')).toMatchObject([{ text: 'three', reason: 'nobody there' }])
    expect(await said('channel', 'dead')).toMatch(/^out_\S+ +desk +- .* nobody there +three$/m)
    const shown = (await said('channel', 'tail', 'desk')).trimEnd().split('\n')
    expect(shown.map((line) => line.replace(/^\S+ /, '')).filter((line) => !line.endsWith('is lent'))).toEqual([
      '← ada: one',
      `  ${shortId(held.id)} is in an inbox`,
      '← two',
      expect.stringMatching(/^ {2}msg_\S+ is in an inbox$/),
      '→ three',
      '→ four',
      `  ${shortId(three?.id ?? '')} is given up: nobody there`,
      `  ${shortId(four?.id ?? '')} is delivered`,
    ])
    const lines = (await said('channel', 'tail', 'desk', '--json')).trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as { type: string })
    expect(records[0]).toMatchObject({ type: 'message.received', body: { message: { via: 'socket' } } })
    expect([records.at(-1)?.type, records.length]).toEqual(['message.delivered', shown.length])
    expect(await printed('rein channel dead', '--retry', shortId(three?.id ?? ''))).toMatchObject([
      { state: 'pending' },
    ])
    expect(await said('channel', 'dead')).toBe('No dead messages.\n')
  })

  test('make tokens, and keep secrets', async () => {
    const { token, url } = (await printed('rein channel token', 'hub')) as TokenView
    const shown = await said('channel', 'token', 'hub', '--signature', 'github', '--secret', 'secret')
    expect(shown.split('\n')).toEqual([
      `curl --unix-socket '${box.paths.socket}' -H 'Authorization: Bearer ${token}' --data-binary 'Hello' http://rein/v1/channels/hub`,
      'For others on this machine:',
      `curl -H 'Authorization: Bearer ${token}' --data-binary 'Hello' ${url}`,
      'Webhooks signed as by github are taken, too.',
      'Their secret: a secret of the hub',
      '',
    ])
    expect(await printed('rein channel token', 'hub')).toMatchObject({ token, signature: 'github', secret: null })
    expect(await printed('rein channel token', 'hub', '--renew', '--signature', 'none')).toMatchObject({
      token: expect.not.stringContaining(token) as string,
      signature: null,
    })
  })

  test('run adapters', async () => {
    expect(await said('adapter', 'list')).toBe('No adapters.\n')
    const started = (await printed(
      'rein adapter run',
      'command',
      '--config',
      'cat.json',
      '--name',
      'cat',
    )) as AdapterView
    expect(started).toMatchObject({ name: 'cat', kind: 'command', state: 'running', restarts: 0, error: null })
    expect(await said('adapter', 'run', 'command', '--config', 'cat.json', '--name', 'cat')).toMatch(
      /^cat runs \(pid \d+\)\.\n$/,
    )
    await gone(started.pid ?? 0)
    expect(await printed('rein adapter list')).toMatchObject([{ name: 'cat', state: 'running' }])
    expect(await said('adapter', 'list')).toMatch(/^cat +command +running .*cat\.json +-$/m)
    expect(await said('adapter', 'stop', 'cat')).toBe('cat has ended, and is not started again.\n')
    const bad = await runCli(box, ['adapter', 'run', 'command', '--config', 'bad.json'])
    expect([bad.code, bad.stdout, bad.stderr]).toEqual([2, '', expect.stringMatching(/bad\.json: command: /)])
    expect(await printed('rein adapter stop', 'command')).toEqual([])
  })

  test.each<[number, string[], RegExp]>([
    [2, ['channel', 'create', '../x'], /"\.\.\/x".*a name has up to 32 of a-z/],
    [2, ['channel', 'create', 'Phone'], /a name has up to 32 of a-z/],
    [2, ['channel', 'send', '..', 'x'], /a name has up to 32 of a-z/],
    [2, ['channel', 'token', '.'], /a name has up to 32 of a-z/],
    [2, ['channel', 'route', 'x'.repeat(33), 'worker'], /a name has up to 32 of a-z/],
    [2, ['channel', 'tail', ''], /a name has up to 32 of a-z/],
    [2, ['adapter', 'stop', '../x'], /a name has up to 32 of a-z/],
    [2, ['adapter', 'run', 'command', '--config', 'cat.json', '--name', '../x'], /name/],
    [2, ['adapter', 'run', 'clock', '--config', 'cat.json'], /"clock".* is none of /],
    [2, ['adapter', 'run', 'command'], /Which configuration\? --config is missing/],
    [2, ['adapter', 'run', 'command', '--config', 'nosuch.json'], /nosuch\.json/],
    [2, ['channel', 'create', 'a', '--anyone', '--sender', 'ada'], /--sender or --anyone, not both/],
    [2, ['channel', 'create', 'a', '--human'], /a human channel needs its senders/],
    [2, ['channel', 'route', 'a'], /Name an agent or a room, or give --none/],
    [2, ['channel', 'route', 'a', 'worker', '--none'], /Name an agent or a room, or give --none/],
    [2, ['channel', 'default'], /Name an agent or a room, or give --none/],
    [2, ['channel', 'send', 'a', ''], /no text/],
    [2, ['channel', 'send', 'a', 'x', '--outgoing', '--from', 'ada'], /for what comes in, not for --outgoing/],
    [2, ['channel', 'token', 'a', '--signature', 'gitlab'], /gitlab/],
    [3, ['channel', 'token', 'a', '--secret', 'nosuch'], /The secret cannot be read/],
    [3, ['channel', 'route', 'a', 'nosuch'], /nosuch/],
    [3, ['channel', 'default', 'nosuch'], /nosuch/],
    [3, ['channel', 'remove', 'nosuch'], /There is no channel nosuch/],
    [3, ['channel', 'send', 'nosuch', 'x', '--outgoing'], /Nothing leaves on a channel nosuch/],
    [3, ['channel', 'dead', '--retry', 'out_nosuch'], /There is no dead message out_nosuch/],
    [3, ['adapter', 'stop', 'nosuch'], /There is no adapter nosuch/],
  ])('exit code %i: rein %j', async (code, args, complaint) => {
    const [plain, json] = [await runCli(box, args), await runCli(box, [...args, '--json'])]
    expect([plain.code, plain.stdout, plain.stderr]).toEqual([code, '', expect.stringMatching(complaint)])
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      code,
      { error: { message: expect.stringMatching(complaint) as string } },
    ])
    expect((await box.client().channels()).channels.some(({ name }) => name === 'a')).toBe(false)
  })

  test('an agent is told that this is for people', async () => {
    await box.runningAgent('asker')
    const env = actingAs(box, 'asker')
    expect((await runCli(box, ['channel', 'list'], { env })).code).toBe(0)
    for (const args of [
      ['create', 'mine'],
      ['route', 'desk', 'worker'],
      ['send', 'desk', 'x'],
      ['token', 'desk'],
    ]) {
      const { code, stderr } = await runCli(box, ['channel', ...args], { env })
      expect([args, code, stderr]).toEqual([args, 5, expect.stringContaining('An agent may not do this')])
    }
  })

  test('rebuild makes the same tables again, and the daemon knows the same', async () => {
    const tables = ['channel', 'adapter', 'channel_default', 'message', 'outgoing']
    const all = (): Row[][] => tables.map((table) => select(box.paths, `SELECT * FROM ${table} ORDER BY 1`))
    await say(box, 'loose', 'held')
    await box.client().defaultRoute({ target: null, cwd: box.cwd })
    await box.client().runAdapter({ name: 'cat', kind: 'command', config: join(box.cwd, 'cat.json'), env: box.env })
    const [before, listed] = [all(), await box.client().channels()]
    expect(before.map((rows) => rows.length > 0)).toEqual(tables.map(() => true))
    await printed('rein daemon rebuild')
    expect([all(), await box.client().channels()]).toEqual([before, listed])
    await daemon.kill()
    await box.daemon()
    expect((await box.client().channels()).channels).toEqual(listed.channels)
    expect(await box.client().adapters()).toContainEqual(expect.objectContaining({ name: 'cat', kind: 'command' }))
  })
})
