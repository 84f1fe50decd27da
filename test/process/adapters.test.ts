import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../src/contract/channel.ts'
import { FakeTelegram } from '../support/fake-telegram.ts'
import { killProcess } from '../support/kill.ts'
import { type Box, createBox, gone, repository, run, until } from './harness.ts'

const runner = join(repository, 'dist/adapter-main.js')
const doc = readFileSync(join(repository, 'docs/own-adapters.md'), 'utf8')

/** The code under `<!-- example: name -->` in docs/own-adapters.md. */
const exampleOf = (name: string): string => {
  const [, code] = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n(.*?)\n\`\`\``, 's').exec(doc) ?? []
  if (code === undefined) throw new Error(`docs/own-adapters.md has no example ${name}.`)
  return code
}

interface Program {
  child: ChildProcess
  /** Resolves when it has said this. */
  said(text: string): Promise<void>
  ended: Promise<number | string>
}

const start = (box: Box, command: string[], env: Record<string, string> = {}): Program => {
  const child = spawn(command[0] ?? '', command.slice(1), { cwd: box.root, env: { ...box.env, ...env }, stdio: 'pipe' })
  const events = new EventEmitter()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      events.emit('said')
    })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  const said = async (text: string): Promise<void> => {
    while (!output.includes(text)) await Promise.race([once(events, 'said'), ended.then(() => failed(text, output))])
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, said, ended }
}

const failed = (text: string, output: string): void => {
  if (!output.includes(text)) throw new Error(`It ended without saying ${JSON.stringify(text)}: ${output}`)
}

/** What comes in on a channel, and what has. */
async function* messages(box: Box, channel: string, follow = true): AsyncGenerator<Message> {
  for await (const record of box.client().tailChannel({ name: channel, after: 0, follow }))
    if (record.type === 'message.received') yield record.body.message
}

const firstMessage = async (box: Box, channel: string): Promise<Message> => {
  for await (const message of messages(box, channel)) return message
  throw new Error('The daemon ended.')
}

/** A program that finds `rein` on its PATH and as a package. */
const boxForExamples = (): Box => {
  const box = createBox()
  const bin = join(box.root, 'bin')
  for (const dir of [bin, join(box.root, 'node_modules')]) mkdirSync(dir)
  writeFileSync(join(bin, 'rein'), `#!/bin/sh\nexec '${process.execPath}' '${repository}/bin/rein.cjs' "$@"\n`)
  chmodSync(join(bin, 'rein'), 0o755)
  symlinkSync(repository, join(box.root, 'node_modules/rein'))
  box.env['PATH'] = [bin, box.env['PATH']].join(delimiter)
  return box
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('the examples of docs/own-adapters.md', () => {
  test('an adapter of one’s own outlives the daemon', async () => {
    const box = boxForExamples()
    const port = await freePort()
    writeFileSync(join(box.root, 'pager.mjs'), exampleOf('sdk'))
    const pager = start(box, [process.execPath, 'pager.mjs'], { PORT: String(port) })
    const answered = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'Help! 助けて' })).text()
    await until(async () => (await answered().catch(() => '')).includes('is held'))
    await box.client().sendOut({ name: 'pager', text: 'On my way.' })
    await pager.said('beep: On my way.')

    const killed = box.registered()?.pid ?? 0
    killProcess(killed)
    await gone(killed)
    await box.client().sendOut({ name: 'pager', text: 'Still there?' })
    await pager.said('beep: Still there?')
    expect(await answered()).toMatch(/^msg_\S+ is held\n$/)

    await box.client().sendOut({ name: 'pager', text: 'x'.repeat(161) })
    await pager.said('A pager shows 160 characters.')
    pager.child.kill('SIGTERM')
    expect(await pager.ended).toBe(0)
    expect((await box.client().dead({})).map(({ reason }) => reason)).toEqual(['A pager shows 160 characters.'])
  })

  test('the socket serves any language', async () => {
    const box = boxForExamples()
    await box.daemon()
    const { code, stdout } = await run(['sh', '-ec', exampleOf('socket')], { env: box.env })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: 'held', reason: 'no_route' }])
    expect((await firstMessage(box, 'pager')).text).toBe('The disk of db-1 is full.')
    const python = start(box, ['python3', '-c', exampleOf('python')])
    await box.client().sendOut({ name: 'pager', text: 'Deleted the old logs.' })
    await python.said('Deleted the old logs.')
  })
})

describe('the runner', () => {
  test.each([
    ['telegram', 'users = ["ada"]', /a\.toml: token: must be .*; users\[0\]: Invalid input/],
    ['timer', '[[jobs]]\ncron = "61 * * * *"\ntext = "x"', /a\.toml: jobs\[0\]\.cron: CronPattern: Invalid value/],
    ['clock', '', /"clock" is none of: command, notify, telegram, timer, watch, webhook\./],
  ])('says in one line what is wrong: %s', async (kind, config, line) => {
    const box = createBox()
    writeFileSync(join(box.root, 'a.toml'), config)
    const { code, stderr } = await run([process.execPath, runner, kind, 'a.toml'], { env: box.env, cwd: box.root })
    expect([code, stderr.split('\n').length]).toEqual([2, 2])
    expect(stderr).toMatch(line)
  })

  const command = async (): Promise<{ box: Box; adapter: Program }> => {
    const box = createBox()
    await box.daemon()
    writeFileSync(join(box.root, 'a.json'), JSON.stringify({ command: ['cat'], reply: true }))
    const adapter = start(box, [process.execPath, runner, 'command', 'a.json'])
    await adapter.said('ready')
    return { box, adapter }
  }

  test('ends when nobody supervises it any more', async () => {
    const { box, adapter } = await command()
    await box.client().sendOut({ name: 'command', text: 'Say it again.' })
    expect((await firstMessage(box, 'command')).text).toBe('Say it again.')
    adapter.child.stdin?.end()
    expect(await adapter.ended).toBe(0)
  })

  test('ends by SIGTERM', async () => {
    const { adapter } = await command()
    adapter.child.kill('SIGTERM')
    expect(await adapter.ended).toBe(0)
  })
})

test('a chat goes on over the death of the daemon', async () => {
  const box = createBox()
  const api = await FakeTelegram.start()
  const daemon = await box.daemon()
  writeFileSync(join(box.root, 'token'), api.token)
  writeFileSync(join(box.root, 'telegram.toml'), `token = { file = "token" }\nusers = [42]\napi = "${api.url}"\n`)
  const { stdout } = await box.rein(['adapter', 'run', 'telegram', '--config', join(box.root, 'telegram.toml')])
  expect(stdout).toMatch(/^telegram runs/)
  await box.stoppedAgent()
  await box.rein(['channel', 'route', 'telegram', 'worker'])
  api.write('How is it going?', { from: 42, chat: -100 })
  const asked = await firstMessage(box, 'telegram')
  expect(asked).toMatchObject({ sender: '42', via: 'socket', meta: { chat: -100 } })
  await api.until(() => api.unconfirmed === 0)
  await daemon.kill()

  api.write('Are you there?', { from: 42, chat: -100 })
  await box.daemon()
  await box.client().sendOut({ name: 'telegram', text: 'All is well.', replyTo: asked.id })
  await api.until(() => api.sent.length === 1 && api.unconfirmed === 0)
  expect(api.sent).toEqual([{ chat_id: -100, text: 'All is well.' }])
  const texts: string[] = []
  for await (const { text } of messages(box, 'telegram', false)) texts.push(text)
  expect(texts).toEqual(['How is it going?', 'Are you there?'])
})
