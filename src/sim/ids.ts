import { randomUUID } from 'node:crypto'

/** Looks like the API's own ids, e.g. msg_01…; never the same twice, so that a conversation may outlive its model. */
export function newId(prefix: string): string {
  return `${prefix}_01${randomUUID().replaceAll('-', '').slice(0, 22)}`
}
