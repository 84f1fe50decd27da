import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import { asReinError } from '../../contract/errors.ts'
import { parseObject } from '../../base/util/json.ts'
import { LineSplitter } from '../../base/util/line-splitter.ts'
import type { CliContext } from '../context.ts'

const parseError = -32_700
const serverError = -32_000
/** Longer than a daemon takes to come back, shorter than CLIs wait for a server to begin. */
const patienceMs = 15_000
const againMs = 200

/** One message a line, each answered when the daemon answers; ends with its standard input. */
export const run = async ({ connect, out, cwd, stdin }: CliContext): Promise<void> => {
  const client = connect()
  const directory = cwd()
  const splitter = new LineSplitter()
  const pending = new Set<Promise<void>>()
  const take = (line: string): void => {
    const answered = answer(client, directory, line, (text) => out.line(text)).finally(() => pending.delete(answered))
    pending.add(answered)
  }
  for await (const chunk of stdin as AsyncIterable<Buffer>)
    for (const line of splitter.push(chunk)) if (line.trim() !== '') take(line)
  await Promise.all(pending)
}

const answer = async (client: Client, cwd: string, line: string, say: (text: string) => void): Promise<void> => {
  const message = parseObject(line)
  if (message === null) return say(failure(null, parseError, 'This is no JSON object.'))
  try {
    for (const text of await askPatiently(client, message, cwd)) say(text)
  } catch (cause) {
    const { message: what, hint = '' } = asReinError(cause)
    if (message['id'] !== undefined) say(failure(message['id'], serverError, `${what} ${hint}`.trim()))
  }
}

/** Only a call may do something: whatever else was cut off is asked again, for a CLI drops a server that fails to begin. */
const askPatiently = async (client: Client, message: Record<string, unknown>, cwd: string): Promise<string[]> => {
  const deadline = performance.now() + (message['method'] === 'tools/call' ? 0 : patienceMs)
  for (;;) {
    try {
      return await client.mcp(message, cwd)
    } catch (cause) {
      if (asReinError(cause).code !== 'unavailable' || performance.now() >= deadline) throw cause
      await delay(againMs)
    }
  }
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
