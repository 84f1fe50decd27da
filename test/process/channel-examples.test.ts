import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { LogRecord } from '../../src/contract/record.ts'
import { type Box, createBox, until } from './harness.ts'

const run = promisify(execFile)
const pages = ['channels.md', 'channel-http.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
)

/** The code that stands in one of the pages under this name. */
const example = (name: string): string => {
  const [, code] =
    new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``).exec(pages.join('\n')) ?? []
  if (code === undefined) throw new Error(`docs/channels.md and docs/channel-http.md have no example ${name}.`)
  return code
}

/** As a user has it: `rein` is on the PATH. */
const userEnv = ({ env }: Box): Record<string, string> => ({
  ...env,
  PATH: `${join(env['REIN_HOME'] ?? '', 'bin')}:${process.env['PATH'] ?? ''}`,
})

const received = async (box: Box, count: number): Promise<LogRecord<'message.received'>['body']['message'][]> => {
  const messages: LogRecord<'message.received'>['body']['message'][] = []
  for await (const one of box.client().tail({ topic: 'messages', after: 0, follow: true })) {
    if (one.type === 'message.received') messages.push(one.body.message)
    if (messages.length === count) break
  }
  return messages
}

test.each([
  ['shell', 'bash', ['-c'], 'phone', ['Did you check the homework?', 'You are near the school']],
  ['python', 'python3', ['-c'], 'sensor', ['It is 31 °C in the server room.']],
  ['node', process.execPath, ['--input-type=module', '-e'], 'bot', ['The deploy is done.\nAll 12 checks are green.']],
] as const)('the example in %s does what the page says', async (name, program, args, channel, texts) => {
  const box = createBox()
  await box.daemon()
  await run(program, [...args, example(name)], { env: userEnv(box) })
  const messages = await received(box, texts.length)
  expect(messages.map(({ text }) => text)).toEqual(texts)
  expect(new Set(messages.map((one) => `${one.channel} ${one.via}`))).toEqual(new Set([`${channel} fifo`]))
  const { channels } = await box.client().channels()
  expect(channels.find((one) => one.name === channel)).toMatchObject({ held: texts.length, reason: 'no_route' })
})

test('the example with HTTP: each message once, however often it is sent', async () => {
  const box = createBox()
  await box.daemon()
  for (let time = 0; time < 2; time += 1) await run('bash', ['-ec', example('http')], { env: userEnv(box) })
  const messages = await received(box, 3)
  expect(messages.map(({ text, sender }) => [text, sender])).toEqual([
    ['The nightly build failed.', null],
    ['Build 4711 failed', 'jenkins'],
    ['The nightly build failed.', null],
  ])
})

test('the example of a reader hears what is sent', async () => {
  const box = createBox()
  await box.daemon()
  const child = spawn('bash', ['-c', example('reader')], { env: userEnv(box) })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const heard = lines.next()
  await until(() => isRead(box))
  expect((await heard).value).toBe('the agent says: hello')
})

/** Sends until somebody reads; true once it was taken. */
const isRead = (box: Box): Promise<boolean> =>
  box
    .client()
    .sendOut({ name: 'phone', text: 'hello' })
    .then(
      () => true,
      () => false,
    )
