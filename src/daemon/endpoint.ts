import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isEqual } from '../base/util/constant-time.ts'
import { parseObject } from '../base/util/json.ts'
import { writeFileAtomic } from '../base/util/atomic-write.ts'

/** What stays the same from one daemon to the next: the loopback port and the secrets behind every token. */
export interface Endpoint {
  port: number
  token: string
  secret: string
}

export const loadEndpoint = (path: string): Endpoint => {
  const kept = readKept(path)
  return {
    port: typeof kept.port === 'number' ? kept.port : 0,
    token: isSecret(kept.token) ? kept.token : newSecret(),
    secret: isSecret(kept.secret) ? kept.secret : newSecret(),
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Whatever is shorter than what Rein makes was cut off or put there by somebody: everybody could make tokens with it. */
const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43,}$/.test(value)

export const saveEndpoint = (path: string, endpoint: Endpoint): Promise<void> =>
  writeFileAtomic(path, `${JSON.stringify(endpoint)}\n`)

const readKept = (path: string): Record<string, unknown> => {
  try {
    return parseObject(readFileSync(path, 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** An agent's token follows from its id and the number of its launch: nothing to store, nothing to lose over a restart. */
export const agentToken = (secret: string, agent: string, launch: number | null): string => {
  const subject = launch === null ? agent : `${agent}.${launch}`
  return `${subject}.${createHmac('sha256', secret).update(subject).digest('base64url')}`
}

/** The launch that a token was made for; null if it is no token of ours. Earlier versions named no launch. */
export const readAgentToken = (secret: string, token: string): { agent: string; launch: number | null } | null => {
  const [agent = '', second = '', third] = token.split('.')
  const launch = third === undefined ? null : Number(second)
  return agent !== '' && isEqual(token, agentToken(secret, agent, launch)) ? { agent, launch } : null
}

/** Whoever has it may write to this channel, until a token of a later version is made. */
export const channelToken = (secret: string, channel: string, version: number): string =>
  `${channel}.${version}.${createHmac('sha256', secret).update(`channel ${channel} ${version}`).digest('base64url')}`
