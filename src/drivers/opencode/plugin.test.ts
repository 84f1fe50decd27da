import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Rule } from '../../contract/rule.ts'
import { prefilter, prefilterFile } from '../../features/rules/guard/prefilter.ts'
import { processStartTime } from '../../base/util/process.ts'

type Json = Record<string, unknown>
type Hook = (input: Json, output: Json) => Promise<void>
interface Hooks {
  config(config: Json): Promise<void>
  event(input: { event: { type: string; properties: Json } }): Promise<void>
  'chat.message': Hook
  'tool.execute.before': Hook
  'tool.execute.after': Hook
  dispose(): Promise<void>
}

const program = join(import.meta.dirname, '../../../bin/rein-opencode.js')
const dir = mkdtempSync(join(tmpdir(), 'rein-opencode-'))
let server: Server
let told: { event: string; body: Json }[]
let replies: Record<string, Json>
let prompts: Json[]
let posted: Json[]
let count = 0

/** The plugin as opencode loads it: each time anew, with the environment of that moment. */
const load = async (): Promise<Hooks> => {
  count += 1
  const module = (await import(`${program}?${count}`)) as { Rein(input: Json): Promise<Hooks> }
  const session = {
    get: async ({ path }: { path: { id: string } }) => ({
      data: { parentID: path.id === 'ses_child' ? 'ses_1' : undefined },
    }),
    promptAsync: async (prompt: Json) => void prompts.push(prompt),
  }
  const postSessionIdPermissionsPermissionId = async (call: Json) => void posted.push(call)
  return module.Rein({ client: { session, postSessionIdPermissionsPermissionId }, directory: '/work' })
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const event = new URL(request.url ?? '', 'http://rein').pathname.split('/').at(-1) ?? ''
  const body = JSON.parse((await readText(request)) || '{}') as Json
  // A guard that is not answered looks at its own file.
  if (request.url?.startsWith('/v1/guard/') === true) return void response.writeHead(404).end()
  told.push({ event, body })
  const isAgain = request.url?.includes('ticket=') ?? false
  if (replies[event]?.['isLate'] === true && !isAgain) return void response.end('later c0ffee\nrein-end\n')
  if (isAgain) await new Promise((resolve) => setTimeout(resolve, 300))
  if (replies[event]?.['hang'] !== true) response.end(`${JSON.stringify(replies[event] ?? {})}\nrein-end\n`)
}

beforeEach(async () => {
  told = []
  replies = {}
  prompts = []
  posted = []
  server = createServer((request, response) => void answer(request, response))
  await once(server.listen(join(dir, 'sock')), 'listening')
  vi.stubEnv('REIN_AGENT', 'agt_1')
  writeFileSync(join(dir, 'no-guards'), prefilterFile([]))
  vi.stubEnv('REIN_GUARDS', join(dir, 'no-guards'))
  vi.stubEnv('REIN_SOCKET', join(dir, 'sock'))
  vi.stubEnv('REIN_HOOK_DEADLINE_MS', '25000')
  vi.stubEnv('OPENCODE_CLIENT', 'acp')
})

afterEach(() => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
  rmSync(join(dir, 'sock'), { force: true })
})

afterAll(() => rmSync(dir, { recursive: true }))

const tool = { tool: 'bash', sessionID: 'ses_1', callID: 'call_1', args: {} }

test.each([
  [{ kind: 'allow' }, { reply: 'once' }],
  [
    { kind: 'deny', reason: 'By policy.' },
    { reply: 'reject', message: 'By policy.' },
  ],
])('a permission request gets the answer of a policy: %j', async (verdict, body) => {
  replies['permission.asked'] = { verdict }
  const properties = { id: 'per_1', sessionID: 'ses_1', permission: 'bash' }
  await (await load()).event({ event: { type: 'permission.asked', properties } })
  expect(posted).toMatchObject([{ path: { requestID: 'per_1' }, body }])
})

test('a permission request without a policy is left to a person', async () => {
  await (await load()).event({ event: { type: 'permission.asked', properties: { id: 'per_1', sessionID: 'ses_1' } } })
  expect(told).toMatchObject([{ event: 'permission.asked' }])
  expect(posted).toEqual([])
})

test('a prompt takes the context as a part behind its own', async () => {
  replies['chat.message'] = { context: 'remember' }
  const output = { message: { id: 'msg_1', sessionID: 'ses_1' }, parts: [{ id: 'prt_1', type: 'text', text: 'go' }] }
  await (await load())['chat.message']({ sessionID: 'ses_1' }, output)
  expect(output.parts).toMatchObject([
    { id: 'prt_1' },
    { id: 'prt_1rein', messageID: 'msg_1', text: 'remember', synthetic: true, metadata: { rein: 'context' } },
  ])
  expect(told).toMatchObject([{ event: 'chat.message', body: { conversation: 'ses_1', directory: '/work' } }])
})

test('a tool is denied by an error, and rewritten in place', async () => {
  const hooks = await load()
  replies['tool.execute.before'] = { deny: 'not now' }
  await expect(hooks['tool.execute.before'](tool, { args: { command: 'a' } })).rejects.toThrow('not now')
  replies['tool.execute.before'] = { args: { command: 'b' } }
  const args = { command: 'a', timeout: 1 }
  await hooks['tool.execute.before'](tool, { args })
  expect(args).toEqual({ command: 'b' })
})

test('a daemon that says that it needs longer is waited for', async () => {
  vi.stubEnv('REIN_HOOK_DEADLINE_MS', '250')
  replies['tool.execute.before'] = { isLate: true, deny: 'not now' }
  await expect((await load())['tool.execute.before'](tool, { args: {} })).rejects.toThrow('not now')
  expect(told).toHaveLength(2)
})

test.each([
  [{ output: 'out' }, { output: 'out\n\nnote', metadata: { rein: { at: 3, length: 6 } } }],
  [
    { content: [{ type: 'text', text: 'out' }] },
    { content: [{ text: 'note' }, { text: 'out' }], metadata: { rein: { at: 0, length: 4 } } },
  ],
])('a result takes the context, and where it stands: %j', async (given, expected) => {
  replies['tool.execute.after'] = { context: 'note' }
  await (await load())['tool.execute.after'](tool, given)
  expect(given).toMatchObject(expected)
  expect(told[0]?.body).toMatchObject({ call: 'call_1', output: 'out' })
})

test('what is to go on is prompted, marked as such; a sub-agent is told in the name of the session at the top', async () => {
  const hooks = await load()
  replies['session.idle'] = { goOn: 'more' }
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } })
  expect(prompts).toMatchObject([
    { path: { id: 'ses_1' }, body: { parts: [{ text: 'more', metadata: { rein: 'feedback' } }] } },
  ])
  await hooks['tool.execute.before']({ ...tool, sessionID: 'ses_child' }, { args: {} })
  expect(told.at(-1)?.body).toMatchObject({ session: 'ses_child', conversation: 'ses_1' })
})

describe('without an answer nothing happens', () => {
  const outcome = async (): Promise<Json> => {
    const output = { args: { command: 'a' } }
    await (await load())['tool.execute.before'](tool, output)
    return output.args
  }

  test('nobody there', async () => {
    vi.stubEnv('REIN_SOCKET', join(dir, 'none'))
    expect(await outcome()).toEqual({ command: 'a' })
  })

  test('somebody who says nothing', async () => {
    vi.stubEnv('REIN_HOOK_DEADLINE_MS', '20')
    replies['tool.execute.before'] = { hang: true }
    expect(await outcome()).toEqual({ command: 'a' })
  })
})

test('what the user configured stays, and nothing is asked any more when that was wished', async () => {
  const config: Json = {
    skills: { paths: ['mine'] },
    permission: { bash: { '*': 'ask', 'rm *': 'deny' }, edit: 'ask' },
  }
  await (await load()).config(config)
  expect(config['skills']).toEqual({ paths: ['mine', join(import.meta.dirname, '../../../bin/skills')] })
  expect(config['permission']).toMatchObject({
    edit: 'ask',
    bash: { '*': 'ask', 'rm *': 'deny', 'rein ack *': 'allow' },
  })
  vi.stubEnv('REIN_AUTO_APPROVE', '1')
  await (await load()).config(config)
  expect(config['permission']).toMatchObject({ edit: 'allow', bash: { '*': 'allow', 'rm *': 'deny' } })
})

test('a waiter that was killed is started again, until opencode ends', async () => {
  const waiters = mkdtempSync(join(dir, 'waiters-'))
  vi.stubEnv('OPENCODE_CLIENT', 'cli')
  vi.stubEnv('REIN_WAITERS', waiters)
  const hooks = await load()
  const pids = () => readdirSync(waiters).map((name) => Number(name.split('.')[1]))
  await vi.waitFor(() => expect(pids()).toHaveLength(1), 20_000)
  const [first = 0] = pids()
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect([pids().length, pids().includes(first)]).toEqual([1, false]), 20_000)
  const [second = 0] = pids()
  await hooks.dispose()
  await vi.waitFor(() => expect(processStartTime(second)).toBeNull(), 20_000)
  expect(pids()).toEqual([second])
})

test('in a conversation that Rein did not launch this copy does nothing', async () => {
  vi.stubEnv('REIN_AGENT', '')
  expect(await load()).toEqual({})
})

describe('guards', () => {
  const guards = join(dir, 'guards')
  const rule = {
    name: 'no-force-push',
    on: 'shell',
    when: { shell: { program: 'git', subcommand: 'push', flags: '-f' } },
  }
  const before = async (command: string): Promise<void> =>
    (await load())['tool.execute.before']({ ...tool, args: undefined }, { args: { command } })

  beforeEach(() => {
    vi.stubEnv('REIN_GUARDS', guards)
    vi.stubEnv('REIN_PROJECT', dir)
    writeFileSync(guards, prefilterFile(prefilter(Rule.parse({ ...rule, guard: true }), '/')))
  })
  afterEach(() => rmSync(guards, { force: true }))

  test('what a guard may forbid does not run while nobody says that it may', async () => {
    await expect(before('git push -f')).rejects.toThrow('the guard rule no-force-push could forbid this')
    await expect(before('git push')).resolves.toBeUndefined()
  })

  test('the call is looked at as Rein has rewritten it', async () => {
    replies['tool.execute.before'] = { args: { command: 'git push -f' } }
    await expect(before('git push')).rejects.toThrow('no-force-push')
  })

  test('a guard that fails denies, and so does one without its file', async () => {
    writeFileSync(guards, 'damaged')
    await expect(before('ls')).rejects.toThrow('could not check')
    rmSync(guards)
    await expect(before('ls')).rejects.toThrow('could not check')
  })
})
