import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Endpoint } from '../base/base.ts'
import { parseObject } from '../base/util/json.ts'
import { writeFileAtomic } from '../base/util/atomic-write.ts'

export const loadEndpoint = (path: string): Endpoint => {
  const kept = readKept(path)
  const lost = LostPort.safeParse(kept.lost)
  return {
    ...(lost.success ? { lost: lost.data } : {}),
    port: typeof kept.port === 'number' ? kept.port : 0,
    token: isSecret(kept.token) ? kept.token : newSecret(),
    secret: isSecret(kept.secret) ? kept.secret : newSecret(),
  }
}

const LostPort = z.object({ port: z.number(), at: z.number() })

const newSecret = (): string => randomBytes(32).toString('base64url')

/** A secret that is too short was cut off or planted: others could forge tokens with it. */
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
