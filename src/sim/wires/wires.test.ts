import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf, post, type Recorded, recorded } from '../../../test/support/sim-harness.ts'
import { type Sim, startSim } from '../server.ts'

let sim: Sim
beforeEach(async () => {
  sim = await startSim()
})
afterEach(() => sim.close())

type Body = Record<string, unknown>
interface Cli {
  name: string
  wire: string
  shell: string
  command: string
  /** Adds what a user says next. */
  prompted: (body: Body, text: string) => Body
}

const add = (key: string, item: unknown) => (body: Body) => ({ ...body, [key]: [...(body[key] as unknown[]), item] })
const user = (content: string) => ({ role: 'user', content })

const CLIS: Cli[] = [
  {
    name: 'codex',
    wire: 'responses',
    shell: 'exec_command',
    command: 'cmd',
    prompted: (body, text) => add('input', { type: 'message', ...user(text) })(body),
  },
  {
    name: 'copilot',
    wire: 'chat',
    shell: 'bash',
    command: 'command',
    prompted: (body, text) => add('messages', user(`<current_datetime>now</current_datetime>\n\n${text}`))(body),
  },
  {
    name: 'opencode',
    wire: 'chat',
    shell: 'bash',
    command: 'command',
    prompted: (body, text) => add('messages', user(`${JSON.stringify(text)}\n`))(body),
  },
  {
    name: 'gemini',
    wire: 'gemini',
    shell: 'run_shell_command',
    command: 'command',
    prompted: (body, text) => add('contents', { role: 'user', parts: [{ text }] })(body),
  },
]

const prompted = ({ name, prompted: say }: Cli, text: string): Recorded => {
  const request = recorded(name)
  return { ...request, body: say(request.body, text) }
}

const whole = (request: Recorded): Recorded => ({
  ...request,
  path: request.path.replace('streamGenerateContent?alt=sse', 'generateContent'),
  body: { ...request.body, stream: false },
})

describe.each(CLIS)('$name', (cli) => {
  const ask = (text: string) => post(sim, prompted(cli, text))

  test('what it sent is read', async () => {
    await (await post(sim, recorded(cli.name))).text()
    const [request] = sim.requests
    expect(request).toMatchObject({ wire: cli.wire, isMain: true, kind: 'default', reply: 'SAY:ok' })
    expect(request?.systemText).toMatch(/^You are /)
    expect(request?.text).toContain('RUN:echo hi ;; SAY:first')
    expect(request?.newText).toMatch(/two[^]*three/)
    expect(request?.newText).not.toContain('SAY:second')
  })

  test('a script is played to its end, its shell commands with the tool that is offered', async () => {
    expect(JSON.stringify(await eventsOf(await ask('THINK:hm ;; RUN:ls ;; SAY:end')))).toContain(cli.shell)
    expect(
      JSON.stringify(await (await post(sim, whole(prompted(cli, 'THINK:hm ;; RUN:ls ;; SAY:end')))).json()),
    ).toContain('end')
    expect(sim.requests.map(({ reply }) => reply)).toEqual(['THINK:hm ;; RUN:ls', 'SAY:end'])
  })

  test('the whole reply holds thoughts and every call', async () => {
    const text = JSON.stringify(
      await (await post(sim, whole(prompted(cli, 'THINK:hm ;; PAR:RUN:ls && RUN:pwd')))).json(),
    )
    const command = (value: string) => new RegExp(String.raw`"?${cli.command}\\*":\\*"${value}`)
    expect(text).toMatch(command('ls'))
    expect(text).toMatch(command('pwd'))
    expect(text).toContain('"hm"')
  })

  test.each([
    ['ERROR:400:no such thing', 400, 'no such thing', null],
    ['ERROR:503', 503, 'scripted error 503', null],
    ['LIMIT:7', 429, 'scripted rate limit', '7'],
    ['QUOTA:60', 429, 'scripted usage limit', '60'],
    ['SAY:a ;; NO:b', 400, 'script step 2', null],
  ])('%s is an API error', async (script, status, message, retryAfter) => {
    const response = await ask(script)
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } })
  })

  test('an error after the first event is an event', async () => {
    const response = await ask('THINK:hm ;; ERROR:503:too much')
    expect(response.status).toBe(200)
    expect(JSON.stringify((await eventsOf(response)).at(-1))).toContain('too much')
  })

  test('DROP breaks the connection', async () => {
    await expect(ask('DROP').then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/)
    expect(await sim.requests[0]?.outcome).toBe('aborted')
  })

  test('WAIT holds the reply', async () => {
    const response = ask('WAIT:go ;; SLOW:0.01:one two')
    await sim.reached('go')
    sim.release('go')
    expect(JSON.stringify(await eventsOf(await response))).toMatch(/"one".*" two"/)
  })

  test('a body of another shape is refused in the form of the wire', async () => {
    const response = await post(sim, { ...recorded(cli.name), body: {} })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(cli.wire) } })
    expect(sim.requests).toEqual([])
  })
})

test.each([
  ['gemini-classifier', '{"complexity_reasoning":"Scripted task","complexity_score":1}'],
  ['opencode-title', 'none'],
])('%s is a side query', async (name, answer) => {
  const text = await (await post(sim, recorded(name))).text()
  expect(sim.requests[0]).toMatchObject({ kind: 'side', isMain: false, reply: `SAY:${answer}` })
  expect(text).toContain(answer.slice(0, 4))
})
