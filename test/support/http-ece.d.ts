declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  export const decrypt: (sealed: Buffer, keys: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer }) => Buffer
}
