import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ReinError } from '../../contract/errors.ts'
import type { CutRequest } from '../contract.ts'

const startMs = 60_000
const endMs = 5000
const user = 'opencode'

interface Server {
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  close(): Promise<void>
}

/** opencode's own HTTP server in one directory, for this process only. */
export const serve = async ({ installed, env, cwd }: CutRequest): Promise<Server> => {
  const own = await mkdtemp(join(tmpdir(), 'rein-opencode-'))
  const password = randomBytes(16).toString('hex')
  // Only its database is needed. With a configuration it would install a package, and ended in the middle of that, it would
  // leave a lock behind for which the next one waits a minute.
  const child = spawn(installed.path, ['serve', '--pure', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd,
    env: {
      ...env,
      XDG_CONFIG_HOME: own,
      XDG_STATE_HOME: own,
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_CONFIG: undefined,
      OPENCODE_CONFIG_DIR: undefined,
      OPENCODE_CONFIG_CONTENT: undefined,
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
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
    await rm(own, { recursive: true, force: true, maxRetries: 5 })
  }
  const timer = killer(startMs)
  let url: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url !== undefined) break
  }
  clearTimeout(timer)
  if (url !== undefined)
    return {
      call: async (method, path, body) => {
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
      },
      close,
    }
  await close()
  throw new ReinError('failed', 'opencode did not start its server, which is needed to go back in a conversation.')
}
