import { randomUUID } from 'node:crypto'

/** Never the same twice, so that a conversation may outlive its model. */
export function randomHex(): string {
  return randomUUID().replaceAll('-', '').slice(0, 22)
}

/** Looks like an API's own ids, e.g. msg_01…. */
export function newId(prefix: string): string {
  return idOf(prefix, randomHex())
}

/** An id that was recorded stays what it was. */
export function idOf(prefix: string, hex: string): string {
  return hex.startsWith(`${prefix}_`) ? hex : `${prefix}_01${hex}`
}
