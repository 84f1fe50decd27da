import { type ErrorBody, ReinError } from '../../contract/errors.ts'
import type { Paired } from '../../contract/routes/web.ts'
import { pairingText, signedText } from '../../contract/socket-terms.ts'
import { database } from './database.ts'
import type { Identity } from './link.ts'

/** The private half never leaves the browser: it can sign, and cannot be read. */
interface StoredDevice {
  id: string
  keys: CryptoKeyPair
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const own = 'own'

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const signWith = async (key: CryptoKey, text: string): Promise<string> => {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(text))
  return toBase64Url(new Uint8Array(signature))
}

const readDevice = (): Promise<StoredDevice | undefined> =>
  database.read('device', (store): IDBRequest<StoredDevice | undefined> => store.get(own))

export const identify = async (): Promise<Identity | null> => {
  const stored = await readDevice()
  if (stored === undefined) return null
  return {
    device: stored.id,
    sign: (challenge) => signWith(stored.keys.privateKey, signedText(location.origin, challenge)),
  }
}

/** Pairs with the key that this browser has already, so that a second code changes its rights and adds no device. */
export const pair = async (code: string, name: string): Promise<void> => {
  const keys = (await readDevice())?.keys ?? (await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']))
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const signature = await signWith(keys.privateKey, pairingText(location.origin, code))
  const response = await fetch('/v1/web/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name, key: { kty, crv, x, y }, signature }),
  })
  const answer = (await response.json()) as Paired | ErrorBody
  if ('error' in answer) throw ReinError.fromBody(answer)
  const device: StoredDevice = { id: answer.device.id, keys }
  await database.write('device', (store) => store.put(device, own))
}

/** The next visit begins unpaired. */
export const forgetDevice = (): Promise<void> => database.write('device', (store) => store.delete(own))

/** What a person calls this browser until they say otherwise. */
export const guessName = (userAgent: string): string => {
  const browser = /(Edg|Firefox|Chrome|Safari)/.exec(userAgent.replace(/Chrome(?=.*Edg)/, ''))?.[1] ?? 'Browser'
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(userAgent)?.[1] ?? ''
  return `${browser.replace('Edg', 'Edge')}${system === '' ? '' : ` on ${system}`}`
}
