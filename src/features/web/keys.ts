import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { ReinError } from '../../contract/errors.ts'
import type { DeviceKey } from '../../contract/device.ts'

const readKey = (key: DeviceKey): KeyObject => createPublicKey({ key: { ...key }, format: 'jwk' })

/** A point that is not on the curve could verify nothing. */
const checkKey = (key: DeviceKey): void => {
  try {
    readKey(key)
  } catch {
    throw new ReinError('usage', 'Not understood: key: it is not a point on P-256.')
  }
}

/** Refuses what the holder of the key has not signed. */
export const checkSigned = (key: DeviceKey, text: string, signature: string): void => {
  checkKey(key)
  if (!hasSigned(key, text, signature)) throw new ReinError('forbidden', 'The signature is not that of this key.')
}

/** Whether the holder of the key has signed this text: ECDSA with SHA-256 in the form of IEEE P1363, as a browser signs. */
export const hasSigned = (key: DeviceKey, text: string, signature: string): boolean => {
  try {
    return verify(
      'sha256',
      Buffer.from(text),
      { key: readKey(key), dsaEncoding: 'ieee-p1363' },
      fromBase64Url(signature),
    )
  } catch {
    return false
  }
}

const fromBase64Url = (text: string): Buffer => Buffer.from(text, 'base64url')
