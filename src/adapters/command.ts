import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { type Adapter, createAdapter, type OutgoingMessage } from './sdk/adapter.ts'
import { channelNamed } from './config.ts'
import { fill } from './fill.ts'
import type { AdapterKind, World } from './kind.ts'
import { offer } from './offer.ts'

const Config = z.strictObject({
  channel: channelNamed('command'),
  command: z.array(z.string()).min(1),
  timeoutSeconds: z.number().positive().max(3000).default(60),
  reply: z.boolean().default(false),
})
type Config = z.infer<typeof Config>

/** What a program may say: more is cut off. */
const [longestReply, longestTrouble] = [60_000, 500]

const firstBytes = async (stream: Readable, limit: number): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < limit) chunks.push(chunk)
    length += chunk.length
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, limit)).trim()
}

interface Program {
  command: readonly string[]
  env: World['env']
  cwd: string
  input: string
  timeoutMs: number
}

/** No shell is between: whatever a message says, it is an argument or input. Resolves with what the program said. */
export const runProgram = async ({ command: [program = '', ...args], env, cwd, input, timeoutMs }: Program) => {
  // A group of its own, so that all it started can be ended with it.
  const child = spawn(program, args, { cwd, env, detached: true })
  const timer = setTimeout(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended just now.
    }
  }, timeoutMs)
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const said = firstBytes(child.stdout, longestReply)
  const trouble = firstBytes(child.stderr, longestTrouble)
  const [code, signal] = (await once(child, 'close').finally(() => clearTimeout(timer))) as [
    number | null,
    string | null,
  ]
  if (code !== 0) throw new Error(`${program} ended with ${signal ?? `exit code ${code}`}. ${await trouble}`.trim())
  return said
}

/** Runs a program for each message of an agent. */
export const command: AdapterKind<typeof Config> = {
  config: Config,
  start: async (config, world) => {
    const { channel, timeoutSeconds, reply } = config
    const { daemon, log } = world
    const send = async (message: OutgoingMessage): Promise<void> => {
      const said = await runProgram({
        command: config.command.map((part) => fill(part, message)),
        cwd: world.dir,
        // What the program may want to know; the text itself would be too long for some systems.
        env: {
          ...world.env,
          REIN_CHANNEL: message.channel,
          REIN_MESSAGE_ID: message.id,
          REIN_FROM: message.from?.handle ?? '',
          REIN_MESSAGE: JSON.stringify({
            id: message.id,
            channel: message.channel,
            from: message.from,
            at: message.at,
            replyTo: message.replyTo,
          }),
        },
        input: message.text,
        timeoutMs: config.timeoutSeconds * 1000,
      })
      if (reply && said !== '') {
        // The program has run: a reply that is refused must not make it run again.
        const { state, reason } = await offer(adapter, said, {
          key: `reply to ${message.id}`,
          meta: { replyTo: message.id },
        })
        if (state === 'refused' || state === 'ending') log(`The reply to ${message.id} was not taken: ${reason}`)
      }
    }
    const sendLimitMs = (timeoutSeconds + 5) * 1000
    const adapter: Adapter = await createAdapter({ channel, send, sendLimitMs, log }, daemon)
    return adapter
  },
}
