import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ReinError, type ErrorCode } from '../../src/contract/errors.ts'
import { versionHeader } from '../../src/contract/headers.ts'
import { type RouteName, routes } from '../../src/contract/routes/all.ts'
import { version } from '../../src/base/util/version.ts'

/** A value, an error, or lines: after them the answer ends, or does not, or the connection breaks. */
type Answer = { value: unknown } | { error: ErrorCode } | { lines: unknown[]; end?: 'never' | 'cut' }

interface Asked {
  method: string
  path: string
  query: Record<string, string>
  input: Record<string, unknown>
}

/** Answers a command as a daemon would, from a table. */
export class FakeDaemon {
  readonly home = mkdtempSync(path.join(tmpdir(), 'rein-fake-'))
  readonly asked: Asked[] = []
  answers: Partial<Record<RouteName, Answer | ((asked: Asked) => Answer)>> = {}
  #server: Server = createServer((request, response) => void this.#receive(request, response))

  async start(): Promise<void> {
    mkdirSync(path.join(this.home, 'run'), { mode: 0o700 })
    writeFileSync(path.join(this.home, 'daemon.json'), JSON.stringify({ id: 'fake', pid: process.pid, startTime: '1' }))
    await new Promise<void>((resolve) => this.#server.listen(path.join(this.home, 'run/rein.sock'), resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.home, { recursive: true })
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const url = new URL(request.url ?? '', 'http://rein')
    const { method = '' } = request
    const query = Object.fromEntries(url.searchParams)
    const asked = { method, path: url.pathname, query, input: JSON.parse(Buffer.concat(chunks).toString() || '{}') }
    if (url.pathname !== routes.hello.path) this.asked.push(asked)
    const [name] = Object.entries(routes).find(([, route]) => matches(route, asked)) ?? []
    this.#answer(response, name as RouteName, asked)
  }

  #answer(response: ServerResponse, name: RouteName, asked: Asked): void {
    const hello = { value: { id: 'fake', version, pid: process.pid } }
    const given = name === 'hello' ? hello : (this.answers[name] ?? { error: 'not_found' })
    const answer = typeof given === 'function' ? given(asked) : given
    const error = 'error' in answer ? new ReinError(answer.error, `fake ${answer.error}`, 'fake hint') : null
    response.writeHead(error?.status ?? 200, { [versionHeader]: version })
    if (!('lines' in answer))
      return void response.end(JSON.stringify(error?.toBody() ?? ('value' in answer && answer.value)))
    const text = answer.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    if (answer.end === undefined) response.end(text)
    else response.write(text, () => answer.end === 'cut' && response.destroy())
  }
}

const matches = (route: { method: string; path: string }, { method, path: asked }: Asked): boolean =>
  route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(asked)
