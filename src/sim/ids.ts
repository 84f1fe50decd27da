import { randomUUID } from 'node:crypto'

/** Never the same twice, so that a conversation may outlive its model. */
export const randomHex = (): string => randomUUID().replaceAll('-', '').slice(0, 22)

/** Looks like an API's own ids, e.g. msg_01…. */
export const newId = (prefix: string): string => formatId(prefix, randomHex())

/** An id that was recorded stays what it was. */
export const formatId = (prefix: string, hex: string): string =>
  hex.startsWith(`${prefix}_`) ? hex : `${prefix}_01${hex}`
