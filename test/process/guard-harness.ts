import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect } from 'vitest'
import { Rule } from '../../src/contract/rule.ts'
import { type GuardJudge, prefilter, prefilterFile } from '../../src/features/rules/guard/prefilter.ts'

const GUARD = join(import.meta.dirname, '../../bin/rein-guard')
export const SHELLS = [['/bin/dash'], ['/bin/bash'], ['/bin/busybox', 'sh']].filter(([path = '']) =>
  fs.existsSync(path),
)
export const END = '\nrein-end\n'
/** One that does not end by itself is killed, and then has no exit code. */
const ABORT_MS = 30_000
/** Two cores: more at once would only wait for each other. */
export const AT_ONCE = 10

export const RULES = [
  {
    name: 'no-force-push',
    on: 'shell',
    when: { shell: { program: 'git', subcommand: 'push', flags: ['-f', '--force'] } },
    message: 'Others have pulled.',
  },
  { name: 'no-secrets', on: ['write', 'edit'], files: ['secrets/**', '!secrets/README.md'] },
  { name: 'no-secrets-in-shell', on: 'shell', when: { shell: { writes: 'secrets/**' } } },
  { name: 'no-eval', on: ['write', 'edit'], when: { regex: String.raw`\bdangerous_eval\(` } },
]

export interface Call {
  /** Another one than that of the product. */
  program?: string
  args?: string[]
  env?: NodeJS.ProcessEnv
  stdin?: string
  isLeftOpen?: boolean
  shell?: string[]
  cwd?: string
}

let box: string
let cleanups: (() => unknown)[]
export const inBox = (name: string): string => join(box, name)
export const project = (): string => inBox('project')

/** A place with guards for each test of a file. */
export const useGuardBox = (): void => {
  beforeEach(() => {
    cleanups = []
    box = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rein-guard-')))
    for (const name of ['project', 'project/secrets', 'elsewhere']) fs.mkdirSync(inBox(name))
    guardWith(RULES)
  })

  afterEach(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
    fs.rmSync(box, { recursive: true })
  })
}

/** The same guard with other settings: where an answer has to arrive, a busy machine must not turn it into silence. */
export const guardThatWaits = (settings: { question_ms?: number; again_ms?: number; reading_s?: number }): string => {
  let text = fs.readFileSync(GUARD, 'utf8')
  for (const [name, time] of Object.entries(settings)) {
    const changed = text.replace(new RegExp(`^${name}=\\d+$`, 'm'), `${name}=${time}`)
    expect(changed).not.toBe(text)
    text = changed
  }
  const program = join(box, 'rein-guard')
  fs.writeFileSync(program, text, { mode: 0o755 })
  return program
}

/** Longer than any machine is busy. */
export const patientMs = 3_000
/** As the product's, for calls that a daemon answers. */
export const askPatiently = (given: Call = {}): Promise<Ended> =>
  guard({ program: guardThatWaits({ question_ms: patientMs }), ...given })

export const guardWith = (
  rules: readonly object[],
  root = project(),
  { isGuard = true, judge = null }: { isGuard?: boolean; judge?: GuardJudge | null } = {},
): void => {
  const lines = rules.flatMap((rule) => prefilter(Rule.parse({ ...rule, guard: isGuard }), root))
  fs.writeFileSync(inBox('guards'), prefilterFile(lines, judge))
}

export const call = (tool: string, input: object, cwd = project()): string =>
  `${JSON.stringify({ session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input })}\n`
export const bash = (command: string, cwd?: string): string => call('Bash', { command, description: 'it' }, cwd)
export const forbidden = (): string => bash('git push --force origin main')

const start = ({ program = GUARD, args = ['claude', 'PreToolUse'], env = {}, shell = [], cwd = project() }: Call) =>
  spawn([...shell, program, ...args][0] ?? '', [...shell, program, ...args].slice(1), {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: box,
      REIN_GUARDS: inBox('guards'),
      REIN_SOCKET: inBox('socket'),
      REIN_PROJECT: project(),
      REIN_AGENT: 'agt_1',
      ...env,
    },
    timeout: ABORT_MS,
    killSignal: 'SIGKILL',
  })

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

const ended = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: stdout.toString(), stderr: stderr.toString() }
}

export const guard = async (given: Call = {}): Promise<Ended> => {
  const child = start(given)
  child.stdin.on('error', () => undefined)
  child.stdin.write(given.stdin ?? forbidden())
  if (given.isLeftOpen !== true) child.stdin.end()
  return ended(child)
}

/** In the CLI's own words, or by an exit code that is one. */
export const isDenied = ({ code, stdout }: Ended): boolean => code === 2 || (code === 0 && stdout.includes('"deny"'))
export const PASSED = { code: 0, stdout: '', stderr: '' }

/** Runs it so often that luck is no explanation; returns what was not denied. */
export const notDenied = async (times: number, given: Call = {}): Promise<Ended[]> => {
  const results: Ended[] = []
  for (let done = 0; done < times; done += AT_ONCE)
    results.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => guard(given)))))
  expect(results).toHaveLength(times)
  return results.filter((result) => !isDenied(result))
}

const listen = async (server: net.Server): Promise<void> => {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await once(server.listen(inBox('socket')), 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
}

export interface Asked {
  url: string
  headers: http.IncomingHttpHeaders
  body: string
}

/** One that answers at once, and to a ticket after so long. */
export const slowDaemon = async (first: string, second: string, ms = 0): Promise<Asked[]> => {
  const asked: Asked[] = []
  const server = http.createServer((request, response) => {
    void buffer(request).then((input) => {
      const { url = '', headers } = request
      asked.push({ url, headers, body: input.toString() })
      const isAgain = url.includes('ticket=')
      return setTimeout(() => response.end(isAgain ? second : first), isAgain ? ms : 0)
    })
  })
  await listen(server)
  return asked
}

export const daemon = async (body: string | Buffer, status = 200): Promise<Asked[]> => {
  const asked: Asked[] = []
  const server = http.createServer((request, response) => {
    buffer(request).then(
      (input) => {
        asked.push({ url: request.url ?? '', headers: request.headers, body: input.toString() })
        return response.writeHead(status).end(body)
      },
      () => response.destroy(),
    )
  })
  await listen(server)
  return asked
}

export const rawDaemon = (speak: (socket: net.Socket) => unknown): Promise<void> =>
  listen(
    net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume()
      socket.once('data', () => speak(socket))
    }),
  )

const staleSocket = async (): Promise<void> => {
  const server = net.createServer().listen(inBox('first'))
  await once(server, 'listening')
  fs.linkSync(inBox('first'), inBox('socket'))
  server.close()
  await once(server, 'close')
}

const stoppedDaemon = async (): Promise<void> => {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`
  const child = spawn(process.execPath, ['-e', script, inBox('socket')], { stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  register(child.pid ?? 0)
}

export const register = (pid: number): void =>
  fs.writeFileSync(inBox('daemon.json'), `${JSON.stringify({ id: 'x', version: '1', pid, startTime: 5 })}\n`)

/** A process id that nobody has any more. */
export const deadPid = async (): Promise<number> => {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

const oneBytePerSecond = (socket: net.Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n')
  const timer = setInterval(() => socket.write('p'), 1000)
  socket.on('close', () => clearInterval(timer))
}

export const FAULTS: Record<string, () => Promise<unknown>> = {
  'is absent': async () => undefined,
  'is known to be dead': async () => register(await deadPid()),
  'left a stale socket': staleSocket,
  'is stopped': stoppedDaemon,
  'accepts and is silent': () => rawDaemon(() => undefined),
  'answers 1 byte a second': () => rawDaemon(oneBytePerSecond),
  'answers 10 MB': () => daemon(`${'x'.repeat(10_000_000)}${END}`),
  'answers random bytes': () => rawDaemon((socket) => socket.end(randomBytes(5_000))),
  'answers without the end line': () => daemon('pass\n'),
  'answers HTTP 500': () => daemon(`pass${END}`, 500),
  'is too old to know of guards': () => daemon('{"error":{"code":"not_found"}}', 404),
}

/** Like the others, in another way. */
export const RARE_FAULTS: Record<string, () => Promise<unknown>> = {
  'hangs up without an answer': () => rawDaemon((socket) => socket.destroy()),
  'answers without HTTP': () => rawDaemon((socket) => socket.end(`pass${END}`)),
  'answers an end line that does not end it': () => daemon(`pass${END}more`),
  'answers another word': () => daemon(`passed${END}`),
  'answers nothing but the end line': () => daemon(END),
}
