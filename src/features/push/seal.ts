import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The receiving half, as the browser made it. */
interface ReceiverKeys {
  /** An uncompressed point on P-256. */
  p256dh: Buffer
  /** 16 bytes that only the browser and the sender know. */
  auth: Buffer
}

/** Fresh for each message; given only to repeat a known result. */
interface Fresh {
  salt: Buffer
  sender: ECDH
}

const curve = 'prime256v1'
/** The size of the only record (RFC 8188): no push service has to take more. */
const recordBytes = 4096
const tagBytes = 16
/** Messages are filled up to a multiple of this, so that their length tells the push service little. */
const blockBytes = 512
export const longestMessage = 3_500

const freshKeys = (): Fresh => {
  const sender = createECDH(curve)
  sender.generateKeys()
  return { salt: randomBytes(16), sender }
}

export const paddingOf = (bytes: number): number => blockBytes - ((bytes + 1) % blockBytes || blockBytes)

/** Encrypts a message for one browser, by RFC 8291; throws if its key is no point on the curve. */
export const sealMessage = (
  text: Buffer,
  { p256dh, auth }: ReceiverKeys,
  padding = paddingOf(text.length),
  { salt, sender }: Fresh = freshKeys(),
): Buffer => {
  const senderKey = sender.getPublicKey()
  const secret = derive(
    sender.computeSecret(p256dh),
    auth,
    Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]),
    32,
  )
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: tagBytes })
  // A 2 ends the text of the last record, zeros fill it.
  const record = Buffer.concat([text, Buffer.from([2]), Buffer.alloc(padding)])
  const sealed = Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()])
  const header = Buffer.alloc(21)
  salt.copy(header)
  header.writeUInt32BE(recordBytes, 16)
  header.writeUInt8(senderKey.length, 20)
  return Buffer.concat([header, senderKey, sealed])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Whether a browser could have made this key. */
export const isPoint = (p256dh: Buffer): boolean => {
  try {
    freshKeys().sender.computeSecret(p256dh)
    return true
  } catch {
    return false
  }
}
