import { EventEmitter, once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import type { HostedAgent, HostEvent, LaunchPlan } from '../../contract/host.ts'
import { stream } from '../../drivers/claude/stream.ts'
import { questionOf } from '../../drivers/claude/question.ts'
import { isSameProcess } from '../../base/util/process.ts'
import { streamHost } from './stream.ts'

/** Keeps what it is told in `got`, and says with each line how many it has got. */
const obedient = `n=0; while read -r line; do
  printf '%s\\n' "$line" >> got; n=$((n + 1))
  printf '{"type":"system","subtype":"init","session_id":"%s"}\\n{"type":"result"}\\n' $n
done`
const hasGot = (count: number) => (event: HostEvent) =>
  event.kind === 'conversation' && event.conversation === String(count)
const idle = (event: HostEvent): boolean => event.kind === 'state' && event.state === 'idle'
const exit = (event: HostEvent): boolean => event.kind === 'exit'

/** What was heard so far, and a way to wait for more. */
class Hearing {
  readonly events: HostEvent[] = []
  readonly #news = new EventEmitter()

  readonly on = (event: HostEvent): void => {
    this.events.push(event)
    this.#news.emit('event')
  }

  async until(match: (event: HostEvent) => boolean): Promise<HostEvent> {
    for (;;) {
      const found = this.events.find(match)
      if (found !== undefined) return found
      await once(this.#news, 'event')
    }
  }
}

const host = streamHost(stream)
const plan = (script: string, cwd: string, firstPrompt: string | null = null): LaunchPlan => ({
  command: '/bin/sh',
  args: ['-c', script],
  env: { PATH: process.env['PATH'] ?? '' },
  cwd,
  conversation: null,
  firstPrompt,
  files: [],
})

const start = async (script: string, firstPrompt: string | null = null) => {
  const dir = tempDir()
  const hearing = new Hearing()
  const agent = await host.start(join(dir, 'agent'), plan(script, dir, firstPrompt), hearing.on)
  onTestFinished(() => agent.stop(0))
  const got = (): unknown[] =>
    readFileSync(join(dir, 'got'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { dir, agent, hearing, got }
}

const isThere = ({ process }: HostedAgent): boolean => isSameProcess(process.pid, process.startTime)

test('what is said arrives at the process, and what it says becomes events', async () => {
  const { agent, hearing, got } = await start(obedient)
  await agent.prompt('Hello\nthere')
  await hearing.until(idle)
  await hearing.until(hasGot(1))
  expect(got()).toEqual([{ type: 'user', message: { role: 'user', content: 'Hello\nthere' } }])
})

test('the first prompt, a wake, the interrupt and the answer go the same way, in order', async () => {
  const { agent, hearing, got } = await start(obedient, 'Begin.')
  await agent.prompt('Wake up.')
  await agent.interrupt()
  await agent.answer(questionOf('q1', 'Bash', { command: 'ls' }), { kind: 'allow' })
  await hearing.until(hasGot(4))
  expect(got()).toMatchObject([
    { message: { content: 'Begin.' } },
    { message: { content: 'Wake up.' } },
    { request: { subtype: 'interrupt' } },
    { response: { request_id: 'q1' } },
  ])
})

test('many lines at once: the last word on the state, and the conversation', async () => {
  const said = [
    '{"type":"system","subtype":"init","session_id":"s1"}',
    '{"type":"assistant","message":{}}',
    'garbage',
    '{"type":"result"}',
  ]
  const { hearing } = await start(`printf '%s\\n' ${said.map((line) => `'${line}'`).join(' ')}; exec sleep 60`)
  await hearing.until(idle)
  expect(hearing.events.filter(({ kind }) => kind === 'conversation')).toMatchObject([{ conversation: 's1' }])
})

describe('several questions at once', () => {
  const asks = (id: string, call?: string) => ({
    type: 'control_request',
    request_id: id,
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: id }, tool_use_id: call },
  })
  const resultOf = (call: string) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: call, content: 'ok' }] },
  })
  const cancels = (id: string) => ({ type: 'control_cancel_request', request_id: id })
  const works = { type: 'assistant', message: {} }
  const ends = { type: 'result', subtype: 'success' }
  const question = (id: string) => questionOf(id, 'Bash', { command: id })
  const isAsked = (id: string) => (event: HostEvent) => event.kind === 'state' && event.question?.id === id
  const isWorking = (event: HostEvent): boolean => event.kind === 'state' && event.state === 'working'
  const told = ({ events }: Hearing): string[] =>
    events.flatMap((event) => (event.kind === 'state' ? [event.question?.id ?? event.state] : []))

  /** An agent that only listens; what it says is put into its output for it. */
  const listener = async () => {
    const started = await start('exec cat > got')
    const say = (...messages: object[]): void =>
      appendFileSync(
        join(started.dir, 'agent', 'stream.ndjson'),
        messages.map((one) => `${JSON.stringify(one)}\n`).join(''),
      )
    return { ...started, say }
  }

  test('the oldest comes first, whatever else is said, and the next after its answer', async () => {
    const { agent, hearing, say } = await listener()
    say(asks('q1'), asks('q2'), works)
    await hearing.until(isAsked('q1'))
    expect(hearing.events).toMatchObject([{ state: 'awaiting_permission', question: question('q1') }])
    await agent.answer(question('q1'), { kind: 'allow' })
    expect(told(hearing)).toEqual(['q1'])
    await hearing.until(isAsked('q2'))
    await agent.answer(question('q2'), { kind: 'allow' })
    say(works)
    await hearing.until(isWorking)
    expect(told(hearing)).toEqual(['q1', 'q2', 'working'])
  })

  test('a withdrawn question takes no other with it, and the end of the turn takes all', async () => {
    const { hearing, say } = await listener()
    say(asks('q1'), asks('q2'), asks('q3'), cancels('q1'))
    await hearing.until(isAsked('q2'))
    say(cancels('q2'), works)
    await hearing.until(isAsked('q3'))
    say(ends)
    await hearing.until(idle)
    say(works)
    await hearing.until(isWorking)
    expect(told(hearing)).toEqual(['q2', 'q3', 'idle', 'working'])
  })

  test('what a sub-agent asks in the background outlasts the turn, and shows it again when it is withdrawn', async () => {
    const { hearing, say } = await listener()
    const { request, ...message } = asks('q1')
    say(works, { ...message, request: { ...request, agent_id: 'a1' } }, asks('q2'), ends)
    await hearing.until(isAsked('q1'))
    say(cancels('q1'))
    await hearing.until(idle)
    expect(told(hearing)).toEqual(['q1', 'idle'])
  })

  test('who takes the agent over hears only of those that are still open', async () => {
    const { agent, dir, say } = await listener()
    say(asks('q0'), ends, asks('q1', 't1'), asks('q2', 't2'), asks('q3', 't3'), resultOf('t1'), works)
    agent.release()
    const later = new Hearing()
    const adopted = await host.adopt(join(dir, 'agent'), agent.process, later.on)
    await later.until(isAsked('q2'))
    say(resultOf('t2'), works)
    await later.until(isAsked('q3'))
    expect(told(later)).toEqual(['q2', 'q3'])
    adopted?.release()
  })
})

test.each([null, 'Begin.', 'x'.repeat(200_000)])(
  'one that ends at once says why, whether there was a prompt or not',
  async (prompt) => {
    const { hearing, agent } = await start('echo "error: unknown option" >&2; exit 3', prompt)
    const event = await hearing.until(exit)
    expect(event).toMatchObject({
      code: 3,
      evidence: { source: 'process', detail: expect.stringContaining('unknown option') },
    })
    expect(agent.readScreen(5)).toBe('error: unknown option')
    await expect(agent.prompt('more')).rejects.toEqual(expect.objectContaining({ code: 'not_running' }))
  },
)

test('the last words before the end are heard before it', async () => {
  const { hearing } = await start('echo \'{"type":"result"}\'; kill -9 $$')
  await hearing.until(exit)
  expect(hearing.events.map(({ kind }) => kind)).toEqual(['state', 'exit'])
  expect(hearing.events.at(-1)).toMatchObject({ signal: 'SIGKILL' })
})

test('a program that cannot be started is an error that names it', async () => {
  const dir = tempDir()
  const missing = { ...plan('', dir), command: '/no/such/claude' }
  const failing = host.start(join(dir, 'agent'), missing, () => undefined)
  await expect(failing).rejects.toEqual(
    expect.objectContaining({ code: 'failed', message: expect.stringContaining('/no/such/claude') }),
  )
})

test('stopping asks first, then insists, and returns when the process is gone', async () => {
  const polite = await start(
    'trap "touch asked; exit 0" TERM; echo \'{"type":"result"}\'; while :; do sleep 0.01; done',
  )
  await polite.hearing.until(idle)
  await polite.agent.stop(10_000)
  expect(isThere(polite.agent)).toBe(false)
  expect(existsSync(join(polite.dir, 'asked'))).toBe(true)
  const stubborn = await start('trap "" TERM; echo \'{"type":"result"}\'; while :; do sleep 0.01; done')
  await stubborn.hearing.until(idle)
  await stubborn.agent.stop(1)
  expect(isThere(stubborn.agent)).toBe(false)
})

test('it outlives its daemon, and the next one takes it over where it is', async () => {
  const { agent, hearing, dir, got } = await start(obedient)
  await agent.prompt('one')
  await hearing.until(hasGot(1))
  agent.release()
  expect(isThere(agent)).toBe(true)
  const later = new Hearing()
  const adopted = await host.adopt(join(dir, 'agent'), agent.process, later.on)
  await later.until(hasGot(1))
  await adopted?.prompt('two')
  await later.until(hasGot(2))
  await adopted?.stop(1000)
  await later.until(exit)
  expect(got()).toHaveLength(2)
  expect(hearing.events.filter(exit)).toEqual([])
})

test('what is gone cannot be taken over, and a process that only has the same number is not it', async () => {
  const { agent, hearing, dir } = await start('exit 0')
  await hearing.until(exit)
  const adopt = (ref: { pid: number; startTime: string }) => host.adopt(join(dir, 'agent'), ref, () => undefined)
  expect(await adopt(agent.process)).toBeNull()
  expect(await adopt({ pid: process.pid, startTime: '1' })).toBeNull()
})
