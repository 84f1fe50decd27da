import { createHmac } from 'node:crypto'
import { isEqual } from '../../base/util/constant-time.ts'

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
