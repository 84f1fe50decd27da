import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const HOOK = join(import.meta.dirname, '../../bin/rein-hook')
// `npm run campaign -- --mode hooks` runs each fault more often and asks how long each run took.
const TIMES = Number(process.env['REIN_HOOK_TIMES'] ?? 5)
const REPORT = process.env['REIN_HOOK_REPORT']
const SHELLS = [['/bin/dash'], ['/bin/bash'], ['/bin/busybox', 'sh']].filter(([path = '']) => fs.existsSync(path))
const SPOOLED_EVENTS = ['SessionStart', 'SessionEnd', 'Stop', 'SubagentStop', 'PreCompact', 'PostCompact']
const END = '\nrein-end\n'
// A hook that does not end by itself is killed, and then has no exit code.
const ABORT_MS = 5_000
// Where an answer has to arrive, a busy machine must not turn it into a timeout.
const PATIENT = { REIN_HOOK_DEADLINE_MS: '4000' }
const SILENT = { code: 0, stdout: '', stderr: '', children: [] }

type Stdin = { write: Uint8Array; close: boolean }
type Call = { args?: string[]; env?: NodeJS.ProcessEnv; stdin?: Stdin; shell?: string[]; prelude?: string }
type Received = { method: string; url: URL; headers: http.IncomingHttpHeaders; body: Buffer }

const DIRECTORIES = ['cwd', 'home', 'spool', 'tmp']
const closed = (write: Uint8Array | string): Stdin => ({ write: Buffer.from(write), close: true })
const open = (write: string): Stdin => ({ write: Buffer.from(write), close: false })
const HOOK_INPUT = closed('{"hook_event_name":"Stop"}\n')

let box: string
let exitedAt = 0
let cleanups: (() => unknown)[]
const inBox = (name: string) => join(box, name)
const notes = () => fs.readdirSync(inBox('spool'))
const readNote = (name: string): unknown => {
  const bytes = fs.readFileSync(join(inBox('spool'), name))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

beforeEach(() => {
  cleanups = []
  box = fs.mkdtempSync(join(tmpdir(), 'rein-hook-'))
  for (const name of DIRECTORIES) fs.mkdirSync(inBox(name))
})

// Faulty daemons are released only here: until then every hook had to end by itself.
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  fs.rmSync(box, { recursive: true })
})

/** The commands of all living processes that inherited `marker` in their environment. */
function processesMarked(marker: string): string[] {
  const read = (pid: string, file: string) => {
    try {
      return fs.readFileSync(`/proc/${pid}/${file}`, 'latin1')
    } catch {
      return ''
    }
  }
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => read(pid, 'environ').includes(marker)).map((pid) => read(pid, 'cmdline'))
}

function start(call: Call, marker: string): ChildProcessWithoutNullStreams {
  const command = [...(call.shell ?? []), HOOK, ...(call.args ?? ['claude', 'Stop'])]
  const child = spawn('/bin/sh', ['-c', `${call.prelude ?? ':'} && exec "$@"`, 'sh', ...command], {
    cwd: inBox('cwd'),
    env: {
      PATH: process.env['PATH'],
      HOME: inBox('home'),
      TMPDIR: inBox('tmp'),
      REIN_SOCKET: inBox('socket'),
      REIN_AGENT: 'agt_0198-a.b:c',
      REIN_SPOOL: inBox('spool'),
      CLAUDE_CODE_SESSION_ID: 'c0ffee-1',
      MARKER: marker,
      ...call.env,
    },
    timeout: ABORT_MS,
    killSignal: 'SIGKILL',
  })
  const { write, close } = call.stdin ?? HOOK_INPUT
  child.stdin.on('error', () => undefined)
  child.stdin.write(write)
  if (close) child.stdin.end()
  return child
}

async function ended(child: ChildProcessWithoutNullStreams, marker: string) {
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  child.stdout.on('data', (chunk: Buffer) => output.stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk))
  const whenClosed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  exitedAt = performance.now()
  const children = processesMarked(marker)
  child.stdin.destroy()
  await whenClosed
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('latin1')
  return { code, stdout: text(output.stdout), stderr: text(output.stderr), children }
}

async function runHook(call: Call = {}) {
  const marker = randomUUID()
  return await ended(start(call, marker), marker)
}

/** Runs it so often that luck is no explanation; returns what was not silent. */
async function runOften(fault: string, call: Call) {
  const loud: unknown[] = []
  const took: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now()
    const result = await runHook(call)
    took.push(exitedAt - began)
    if (!isDeepStrictEqual(result, SILENT)) loud.push(result)
  }
  if (REPORT !== undefined) fs.appendFileSync(REPORT, `${JSON.stringify({ fault, took })}\n`)
  return loud
}

async function listen(server: net.Server, path = inBox('socket')): Promise<void> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(path)
  await once(server, 'listening')
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
}

/** A daemon that reads the whole request, keeps it, and answers 200 with `body`. */
async function liveDaemon(body: string | Buffer, framing: 'length' | 'chunked' = 'length'): Promise<Received[]> {
  const requests: Received[] = []
  const server = http.createServer((request, response) => {
    if (framing === 'chunked') response.flushHeaders()
    buffer(request).then(
      (input) => {
        const url = new URL(request.url ?? '', 'http://rein')
        requests.push({ method: request.method ?? '', url, headers: request.headers, body: input })
        return response.end(body)
      },
      () => response.destroy(),
    )
  })
  await listen(server)
  return requests
}

/** A daemon that answers at once, and to a ticket after longer than the deadline. */
async function slowDaemon(first: string, second: string): Promise<Received[]> {
  const requests: Received[] = []
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://rein')
      requests.push({ method: request.method ?? '', url, headers: request.headers, body })
      const isAgain = url.searchParams.has('ticket')
      return setTimeout(() => response.end(isAgain ? second : first), isAgain ? 1200 : 0)
    })
  })
  await listen(server)
  return requests
}

/** A daemon of raw bytes: `speak` may answer what it likes, and by default never closes. */
async function rawDaemon(speak: (socket: net.Socket) => unknown): Promise<void> {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume()
    socket.once('data', () => speak(socket))
  })
  await listen(server)
}

/** A daemon that answers only an input it can parse. */
async function parsingDaemon(): Promise<void> {
  const server = http.createServer((request, response) => {
    json(request).then(
      (input) => response.end(`${JSON.stringify(input)}${END}`),
      () => response.writeHead(400).end(),
    )
  })
  await listen(server)
}

async function staleSocket(): Promise<void> {
  const server = net.createServer().listen(inBox('first'))
  await once(server, 'listening')
  fs.linkSync(inBox('first'), inBox('socket'))
  server.close()
  await once(server, 'close')
}

async function stoppedDaemon(): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('up'))`
  const daemon = spawn(process.execPath, ['-e', script, inBox('socket')], { stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(async () => {
    daemon.kill('SIGKILL')
    await once(daemon, 'exit')
  })
  await once(daemon.stdout, 'data')
  daemon.kill('SIGSTOP')
}

function oneBytePerSecond(socket: net.Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n')
  const timer = setInterval(() => socket.write('{'), 1000)
  socket.on('close', () => clearInterval(timer))
}

const headOf = (bytes: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`
const HUGE = `${'x'.repeat(10_000_000)}${END}`

const FAULTS: Record<string, () => Promise<unknown>> = {
  'is absent': async () => undefined,
  'left a stale socket': staleSocket,
  'is stopped': stoppedDaemon,
  'accepts and is silent': () => rawDaemon(() => undefined),
  'hangs up without an answer': () => rawDaemon((socket) => socket.destroy()),
  'answers 1 byte a second': () => rawDaemon(oneBytePerSecond),
  'answers 10 MB': () => liveDaemon(HUGE),
  'answers 10 MB in chunks': () => liveDaemon(HUGE, 'chunked'),
  'answers random bytes': () => rawDaemon((socket) => socket.end(randomBytes(5_000))),
  'answers without HTTP': () => rawDaemon((socket) => socket.end(`{}${END}`)),
  'answers without the end line': () => liveDaemon('{"decision":"block"}\n'),
  'answers an end line that does not end it': () => liveDaemon(`{}${END}{}`),
  'breaks off before the announced length': () => rawDaemon((socket) => socket.end(`${headOf(500)}{}${END}`)),
  'breaks off within a chunk': () =>
    rawDaemon((socket) => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{}${END}`)),
  'answers HTTP 500': () => rawDaemon((socket) => socket.end(`HTTP/1.1 500 No\r\n\r\n{}${END}`)),
}

describe('a daemon that answers', () => {
  const replies: [string, string | Buffer][] = [
    ['nothing', ''],
    ['JSON', '{"hookSpecificOutput":{"additionalContext":"hi"}}'],
    ['UTF-8 and newlines', '\n{"text":"Á é 日本 🐎",\n\n"more":"\\n\\u0000"}\n\n\n'],
    ['shell and printf syntax', `$(id) \`id\` "$HOME" '%s' %d \\n \\c -n * ~`],
    ['end lines of its own', `rein-end\n{}${END}rein-end`],
    ['every byte but NUL', Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1))],
    ['as much as is allowed', 'é'.repeat(32_763)],
  ]

  it.each(replies.flatMap(([what, reply]) => SHELLS.map((shell) => ({ what, reply, shell }))))(
    'has $what passed through byte for byte by $shell',
    async ({ reply, shell }) => {
      await liveDaemon(Buffer.concat([Buffer.from(reply), Buffer.from(END)]))
      const result = await runHook({ shell, env: PATIENT })
      expect(result).toEqual({ ...SILENT, stdout: Buffer.from(reply).toString('latin1') })
    },
  )

  it.each(['length', 'chunked'] as const)('is not printed beyond 64 KiB (%s)', async (framing) => {
    await liveDaemon(`${'é'.repeat(32_764)}${END}`, framing)
    const env = { ...PATIENT, LC_ALL: 'C.UTF-8' }
    expect(await runHook({ shell: ['/bin/bash'], env })).toEqual(SILENT)
  })

  it.each(SHELLS.map((shell) => ({ shell })))(
    'is waited for when it says that it needs longer ($shell)',
    async ({ shell }) => {
      const asked = await slowDaemon(`later c0ffee1${END}`, `{"late":1}${END}`)
      expect(await runHook({ shell, env: { REIN_HOOK_DEADLINE_MS: '1000' } })).toEqual({
        ...SILENT,
        stdout: '{"late":1}',
      })
      expect(asked.map(({ url, body }) => [url.searchParams.get('ticket'), String(body)])).toEqual([
        [null, '{"hook_event_name":"Stop"}\n'],
        ['c0ffee1', ''],
      ])
      expect(asked[0]?.headers['x-rein-wait']).toBe('940')
    },
  )

  it.each([
    ['sends on for ever', `later 1${END}`, `later 2${END}`],
    ['gives an odd ticket', `later $(id)${END}`, `{}${END}`],
    ['has no end line the second time', `later 1${END}`, '{}'],
  ])('is not heard when it %s, and the event is spooled', async (_, first, second) => {
    await slowDaemon(first, second)
    expect(await runHook({ env: { REIN_HOOK_DEADLINE_MS: '1000' } })).toEqual(SILENT)
    expect(notes()).toHaveLength(1)
  })

  it('learns agent, parent, conversation, handle, event and protocol', async () => {
    const requests = await liveDaemon(END)
    await runHook({ args: ['claude', 'PreToolUse'], env: { ...PATIENT, REIN_HANDLE: 'by-hand' } })
    const [request] = requests
    expect(request).toMatchObject({ method: 'POST', url: { pathname: '/v1/hooks/claude/PreToolUse' } })
    expect(request?.headers).toMatchObject({ host: 'rein', 'x-rein-hook': '1', 'content-type': 'application/json' })
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      agent: 'agt_0198-a.b:c',
      pid: String(process.pid),
      conversation: 'c0ffee-1',
      handle: 'by-hand',
    })
  })

  it('hears nothing from Copilot when it runs the hooks of Claude Code', async () => {
    const requests = await liveDaemon(END)
    const copilot = { ...PATIENT, COPILOT_PROJECT_DIR: '/home/dev' }
    await runHook({ args: ['claude', 'Stop'], env: copilot })
    await runHook({ args: ['copilot', 'agentStop'], env: copilot })
    await runHook({ args: ['claude', 'PreToolUse'], env: { ...copilot, CLAUDECODE: '1' } })
    expect(requests.map(({ url }) => url.pathname)).toEqual([
      '/v1/hooks/copilot/agentStop',
      '/v1/hooks/claude/PreToolUse',
    ])
  })

  it.each([1, 100_000, 2_000_000])('gets %i bytes of input unchanged', async (length) => {
    const requests = await liveDaemon(END)
    const input = randomBytes(length)
    await runHook({ stdin: closed(input), env: PATIENT })
    expect(requests[0]?.body.equals(input)).toBe(true)
  })

  it('is asked whatever proxies, curl settings, functions and PATH say', async () => {
    await liveDaemon(`{}${END}`)
    for (const name of ['.curlrc', 'curlrc']) fs.writeFileSync(inBox(`home/${name}`), `output = "${inBox('leak')}"\n`)
    const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].map((name) => [name, 'http://127.0.0.1:9'])
    const env = {
      ...PATIENT,
      ...Object.fromEntries(proxies),
      no_proxy: '',
      CURL_HOME: inBox('home'),
      XDG_CONFIG_HOME: inBox('home'),
      SSLKEYLOGFILE: inBox('leak'),
      IFS: '/r',
      PATH: '/nowhere',
    }
    const shell = ['/usr/bin/env', 'BASH_FUNC_curl%%=() { echo no; }', '/bin/bash']
    expect(await runHook({ shell, env })).toEqual({ ...SILENT, stdout: '{}' })
    expect(fs.existsSync(inBox('leak'))).toBe(false)
  })
})

describe('a daemon that fails', () => {
  const cases = Object.entries(FAULTS).map(([fault, provoke]) => ({ fault, provoke }))

  it.each(cases)('leaves no trace when it $fault', async ({ fault, provoke }) => {
    await provoke()
    const before = fs.readdirSync(box)
    expect(await runOften(`daemon ${fault}`, { args: ['claude', 'PreToolUse'] })).toEqual([])
    expect(fs.readdirSync(box)).toEqual(before)
    for (const name of DIRECTORIES) expect(fs.readdirSync(inBox(name))).toEqual([])
  })

  it.each(cases)('is told of a stop later when it $fault', async ({ provoke }) => {
    await provoke()
    expect(await runHook({ stdin: closed(randomBytes(2_000_000)) })).toEqual(SILENT)
    expect(notes()).toEqual([expect.stringMatching(/^\d+-\d+-\d+\.json$/)])
  })

  it('does not leave its client behind when that is told to end', async () => {
    const daemon = new EventEmitter()
    await rawDaemon(() => daemon.emit('asked'))
    const asked = once(daemon, 'asked')
    const marker = randomUUID()
    const child = start({ env: { REIN_HOOK_DEADLINE_MS: '1000' } }, marker)
    const result = ended(child, marker)
    await asked
    expect(processesMarked(marker)).toContainEqual(expect.stringMatching(/^curl\0/))
    child.kill('SIGTERM')
    expect(await result).toEqual(SILENT)
  })
})

describe('an agent CLI that never ends its input', () => {
  const daemons = { absent: FAULTS['is absent'], silent: FAULTS['accepts and is silent'], live: parsingDaemon }
  const inputs = { nothing: '', 'half of it': '{"hook_event_name":' }
  const cases = Object.entries(daemons).flatMap(([daemon, provoke]) =>
    Object.entries(inputs).map(([what, input]) => ({ daemon, provoke, what, input })),
  )

  it.each(cases)(
    'does not hold the hook up: $what written, daemon $daemon',
    async ({ daemon, provoke, what, input }) => {
      await provoke?.()
      expect(await runOften(`stdin stays open, ${what} written, daemon ${daemon}`, { stdin: open(input) })).toEqual([])
    },
  )
})

describe('the note for a daemon that was away', () => {
  const note = { driver: 'claude', agent: 'agt_0198-a.b:c', pid: process.pid, conversation: 'c0ffee-1' }

  it.each(SPOOLED_EVENTS.flatMap((event) => SHELLS.map((shell) => ({ event, shell }))))(
    'tells of $event ($shell)',
    async ({ event, shell }) => {
      const earliest = Math.floor(Date.now() / 1000)
      await runHook({ args: ['claude', event], shell })
      const [name = '', ...others] = notes()
      expect(others).toEqual([])
      expect(readNote(name)).toEqual({
        ...note,
        event,
        cwd: inBox('cwd'),
        at: expect.toSatisfy((at) => at >= earliest),
      })
      expect(fs.statSync(join(inBox('spool'), name)).mode & 0o777).toBe(0o600)
    },
  )

  it('is not written when the daemon answered', async () => {
    await liveDaemon(END)
    await runHook({ env: PATIENT })
    expect(notes()).toEqual([])
  })

  it('holds no id that is not one', async () => {
    await runHook({ env: { REIN_AGENT: 'a","event":"x', CLAUDE_CODE_SESSION_ID: 'b c' } })
    expect(readNote(notes()[0] ?? '')).toMatchObject({ event: 'Stop', agent: '', conversation: '' })
  })

  const directories = ['it"s', 'a\\\\b', 'a\\\\', '日本 é', '%%s $HOME `id`', '-n'].map((printf) => ({
    printf,
    kept: true,
  }))
  const unfit = ['a\\nb', 'a\\tb', 'caf\\351', 'a\\201\\210b'].map((printf) => ({ printf, kept: false }))

  it.each([...directories, ...unfit].flatMap((entry) => SHELLS.map((shell) => ({ ...entry, shell }))))(
    'is sound in directory $printf ($shell)',
    async ({ printf, kept, shell }) => {
      await runHook({ shell, prelude: `d=$(printf -- '${printf}') && mkdir -- "$d" && cd -- "$d"` })
      const [directory = ''] = fs.readdirSync(inBox('cwd'))
      expect(readNote(notes()[0] ?? '')).toEqual({
        ...note,
        event: 'Stop',
        at: expect.any(Number),
        ...(kept && { cwd: join(inBox('cwd'), directory) }),
      })
    },
  )

  it.each([
    ['missing', { env: { REIN_SPOOL: '/nowhere/spool' } }],
    ['not set', { env: { REIN_SPOOL: undefined } }],
    ['a file', { env: { REIN_SPOOL: HOOK } }],
    ['full', { prelude: 'ulimit -f 0' }],
  ])('is left out when the directory is %s', async (_, call) => {
    expect(await runHook(call)).toEqual(SILENT)
    expect(notes()).toEqual([])
  })
})

describe('a call that is not for the daemon', () => {
  it.each([
    ['no socket', { env: { REIN_SOCKET: undefined } }],
    ['a relative socket', { env: { REIN_SOCKET: 'socket' }, prelude: 'cd ..' }],
    ['no event', { args: ['claude'] }],
    ['an event that is no name', { args: ['claude', '../../v1/stop?x='] }],
  ])('ends at once: %s', async (_, call) => {
    const requests = await liveDaemon(`{}${END}`)
    expect(await runHook(call)).toEqual(SILENT)
    expect({ requests, notes: notes() }).toEqual({ requests: [], notes: [] })
  })

  it.each([[['--version']], [['claude', '--version']]])('prints the protocol version: %j', async (args) => {
    expect(await runHook({ args, env: { REIN_SOCKET: undefined } })).toEqual({ ...SILENT, stdout: '1\n' })
  })
})
