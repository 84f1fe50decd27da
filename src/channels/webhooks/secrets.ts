import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Signature } from '../../contract/channel.ts'

/** What webhooks of a channel are signed with: in a file of its own that only this user can read, never in the log. */
export class WebhookSecrets {
  readonly #dir: string
  readonly #newSecret: () => string

  constructor(dir: string, newSecret: () => string) {
    this.#dir = dir
    this.#newSecret = newSecret
  }

  of(channel: string): string | null {
    try {
      return readFileSync(this.#path(channel), 'utf8')
    } catch {
      return null
    }
  }

  /** Keeps the one that is given; makes one where signatures are wanted and there is none. Null if nothing changed. */
  set(
    channel: string,
    given: { signature?: Signature | null | undefined; secret?: string | undefined },
  ): string | null {
    const isMissing = given.signature != null && this.of(channel) === null
    const secret = given.secret ?? (isMissing ? this.#newSecret() : null)
    if (secret === null) return null
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    writeFileSync(this.#path(channel), secret, { mode: 0o600 })
    return secret
  }

  #path(channel: string): string {
    return join(this.#dir, `${channel}.secret`)
  }
}
