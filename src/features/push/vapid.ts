import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { parseObject } from '../../base/util/json.ts'
import { quoted } from '../../base/util/shell.ts'

interface VapidKey {
  privateKey: KeyObject
  /** An uncompressed point in base64url, as browsers and push services want it. */
  publicKey: string
}

/** Push services refuse more than 24 hours. */
const validMs = 12 * 3_600_000
/** Required by push services, and nobody's address (RFC 2606). */
const nobody = 'mailto:nobody@example.com'

/** The key by which push services know this machine, in a file that only this user can read. */
export class VapidKeys {
  readonly #file: string
  #key: Promise<VapidKey> | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** Makes it on first use: subscriptions are for one key, so it never changes. */
  get(): Promise<VapidKey> {
    this.#key ??= this.#readOrMake().catch((cause: unknown) => {
      this.#key = null
      throw cause
    })
    return this.#key
  }

  async #readOrMake(): Promise<VapidKey> {
    const kept = this.#read()
    if (kept !== null) return kept
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    await writeFileAtomic(this.#file, `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`)
    return withPublicKey(privateKey)
  }

  #read(): VapidKey | null {
    if (isAbsent(this.#file)) return null
    try {
      const key = parseObject(readFileSync(this.#file, 'utf8')) as JsonWebKey
      return withPublicKey(createPrivateKey({ key, format: 'jwk' }))
    } catch {
      throw new ReinError(
        'failed',
        `The key for notifications cannot be read: ${this.#file}.`,
        `Delete it (rm ${quoted(this.#file)}), then switch notifications off and on again in each browser.`,
      )
    }
  }
}

const withPublicKey = (privateKey: KeyObject): VapidKey => {
  const { crv, x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (crv !== 'P-256') throw new Error(`A key on ${crv} cannot sign.`)
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { privateKey, publicKey: point.toString('base64url') }
}

interface Claims {
  /** The origin of the push service. */
  audience: string
  /** Whom its people may ask about these messages. */
  contact: string | null
  now: number
}

/** The value of `Authorization` (RFC 8292). */
export const authorize = ({ privateKey, publicKey }: VapidKey, { audience, contact, now }: Claims): string => {
  const claims = { aud: audience, exp: Math.floor((now + validMs) / 1000), sub: contactUrl(contact) }
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}

const contactUrl = (contact: string | null): string => {
  if (contact === null) return nobody
  return /^(mailto|https):/.test(contact) ? contact : `mailto:${contact}`
}
