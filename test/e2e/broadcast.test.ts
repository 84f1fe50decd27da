import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import type { TurnLine } from '../../src/contract/turn.ts'
import { reinBin, startRein, type TestRein } from './harness.ts'

test('rein follow prints a turn of the agent, whole, and says on one line that the daemon is gone', async () => {
  const rein = await startRein({ scenario: '' })
  await rein.up('THINK:let me see ;; RUN:echo 你好 ;; SAY:all done')
  const following = spawn(process.execPath, [reinBin, 'follow', 'worker', '--after', '0', '--json'], {
    cwd: rein.cwd,
    env: rein.daemonEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void following.kill())
  const lines = createInterface(following.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value))
  expect(await next()).toMatchObject({
    agent: 'worker',
    prompt: 'THINK:let me see ;; RUN:echo 你好 ;; SAY:all done',
    turn: [
      { type: 'thinking', thinking: 'let me see' },
      { type: 'tool_use', name: 'Bash', input: { command: 'echo 你好' } },
      { type: 'tool_result', text: '你好', isError: false },
      { type: 'text', text: 'all done' },
    ],
    reason: 'idle',
  })
  await rein.killDaemon()
  expect(await next()).toMatchObject({ error: { code: 'unavailable' } })
  expect((await lines.next()).done).toBe(true)
})

const heartbeat = ':'

/** As a browser's EventSource would: an event counts when its last line is there. */
class Events {
  readonly turns: TurnLine[] = []
  readonly ids: number[] = []
  readonly #response: IncomingMessage
  #rest = ''

  constructor(response: IncomingMessage) {
    this.#response = response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#take(chunk)).on('error', () => undefined)
    response.pause()
    onTestFinished(() => void response.destroy())
  }

  static async after({ paths }: TestRein, path: string, lastId?: number): Promise<Events> {
    const headers = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
    const [response] = (await once(get({ socketPath: paths.socket, path, headers }), 'response')) as [IncomingMessage]
    return new Events(response)
  }

  /** Reads hardly more than it needs, so that what follows is still on its way. */
  async until(count: number): Promise<void> {
    this.#response.resume()
    while (this.turns.length < count) await once(this.#response, 'data')
    this.#response.pause()
  }

  /** Reads what there still is of a connection that was cut: the beginning of an event. */
  async rest(): Promise<string> {
    const closed = new Promise((resolve) => this.#response.once('close', resolve))
    this.#response.resume()
    await closed
    return this.#rest
  }

  #take(chunk: string): void {
    const events = `${this.#rest}${chunk}`.split('\n\n')
    this.#rest = events.pop() ?? ''
    for (const event of events.filter((one) => one !== heartbeat)) {
      const [, id, data = ''] = /^id: (\d+)\nevent: turn\ndata: (.+)$/.exec(event) ?? []
      this.ids.push(Number(id))
      this.turns.push(JSON.parse(data) as TurnLine)
    }
  }
}

const ended = async ({ client }: TestRein, count: number): Promise<void> => {
  let left = count
  for await (const { type } of client.tail({ topic: 'turns', after: 0, follow: true }))
    if (type === 'turn.ended' && --left === 0) return
}

test('the daemon is killed in the middle of an event: who comes back with the last id has every turn, once', async () => {
  const rein = await startRein({ scenario: '' })
  const words = ['one', 'two', 'three', 'four']
  const prompts = words.map((word) => `SAY:${word}\n${'long '.repeat(60_000)}${word}`)
  await rein.up('SAY:zero')
  const before = await Events.after(rein, '/v1/turns?after=0')
  await before.until(1)
  for (const [index, prompt] of prompts.entries()) {
    await rein.type(prompt)
    await ended(rein, index + 2)
  }
  await rein.type('WAIT:killed ;; SAY:five')
  await rein.sim.reached('killed')
  await rein.killDaemon()
  expect(await before.rest()).toMatch(/^id: \d+\nevent: turn\ndata: /)
  const request = await rein.sim.next(({ reply }) => reply.includes('SAY:five'))
  rein.sim.release('killed')
  await request.outcome

  await rein.client.hello()
  const afterwards = await Events.after(rein, '/v1/turns?after=0', before.turns.at(-1)?.seq)
  await afterwards.until(prompts.length + 2 - before.turns.length)
  const turns = [...before.turns, ...afterwards.turns]
  expect(turns.map(({ prompt }) => prompt)).toEqual(['SAY:zero', ...prompts, 'WAIT:killed ;; SAY:five'])
  expect(turns.map(({ turn }) => turn)).toEqual(['zero', ...words, 'five'].map((text) => [{ type: 'text', text }]))
  const ids = [...before.ids, ...afterwards.ids]
  expect(ids).toEqual([...new Set(turns.map(({ seq }) => seq))].toSorted((a, b) => a - b))
})
