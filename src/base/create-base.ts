import { v7 as uuid } from 'uuid'
import { manifest } from '../contract/manifest.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { redactDeep } from './redact/redact.ts'
import { randomBytes } from './util/random.ts'
import type { Base } from './base.ts'

type Given = Omit<Base, 'append' | 'troubleIn' | 'now' | 'newId'>

export const createBase = (given: Given): Base => ({
  ...given,
  append: (records, cursors = []) =>
    given.log.append(
      records.map((record) =>
        manifest[record.type].isClean ? record : ({ ...record, body: redactDeep(record.body).value } as AnyNewRecord),
      ),
      cursors,
    ),
  troubleIn: (where) => (cause) => given.journal.write('trouble', { where, reason: String(cause) }),
  now: () => Date.now(),
  newId: (prefix) => `${prefix}_${uuid({ random: randomBytes(16) })}`,
})
