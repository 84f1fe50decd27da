import { v7 as uuid } from 'uuid'
import type { AnyNewRecord } from '../contract/record.ts'
import { redactDeep } from './redact/redact.ts'
import { randomBytes } from './util/random.ts'
import type { Base } from './base.ts'

type Given = Omit<Base, 'append' | 'troubleIn' | 'now' | 'newId'>

export const createBase = (given: Given): Base => ({
  ...given,
  append: (records, cursors = []) => given.log.append(records.map(withoutSecrets), cursors),
  troubleIn: (where) => (cause) => given.journal.write('trouble', { where, reason: String(cause) }),
  now: () => Date.now(),
  newId: (prefix) => `${prefix}_${uuid({ random: randomBytes(16) })}`,
})

/** What had its secrets taken out when it was accepted, or never had any; a nonce, a hash or an exact text must stay as it is. */
const cleaned: readonly string[] = [
  'directives',
  'messages',
  'chats',
  'events',
  'leases',
  'decisions',
  'sessions',
  'commands',
  'advices',
  'projects',
]

const withoutSecrets = (record: AnyNewRecord): AnyNewRecord =>
  cleaned.includes(record.topic) ? record : ({ ...record, body: redactDeep(record.body).value } as AnyNewRecord)
