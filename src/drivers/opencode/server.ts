import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { ReinError } from '../../contract/errors.ts'
import type { CutRequest } from '../contract.ts'

/** Its start may wait for an npm that nobody answers. */
const startMs = 60_000
const endMs = 5000

export interface Server {
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  close(): Promise<void>
}

/** opencode's own HTTP server in one directory, for nobody else. */
export const serve = async ({ installed, env, cwd }: CutRequest): Promise<Server> => {
  const password = randomBytes(16).toString('hex')
  const child = spawn(installed.path, ['serve', '--pure', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd,
    env: {
      npm_config_fetch_retries: '0',
      ...env,
      OPENCODE_SERVER_USERNAME: user,
      OPENCODE_SERVER_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  const killer = (ms: number): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), ms)
  const close = async (): Promise<void> => {
    child.kill()
    const timer = killer(endMs)
    await ended
    clearTimeout(timer)
  }
  const timer = killer(startMs)
  const url = await addressIn(createInterface({ input: child.stdout }))
  clearTimeout(timer)
  if (url === null) {
    await close()
    throw new ReinError('failed', 'opencode did not start its server, which is needed to go back in a conversation.')
  }
  return { call: caller(url, password, cwd), close }
}

const user = 'opencode'

const addressIn = async (lines: AsyncIterable<string>): Promise<string | null> => {
  for await (const line of lines) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address !== undefined) return address
  }
  return null
}

const caller =
  (url: string, password: string, cwd: string): Server['call'] =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}?directory=${encodeURIComponent(cwd)}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (response.ok) return answer === '' ? null : (JSON.parse(answer) as unknown)
    throw new ReinError('failed', `opencode answered ${response.status} to ${method} ${path}.`)
  }
