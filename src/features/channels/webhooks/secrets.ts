import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Signature } from '../../../contract/channel.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'

const shortest = 8

/** The signing secret of a channel, in a file that only this user can read, never in the log. */
export class WebhookSecrets {
  readonly #dir: string
  readonly #newSecret: () => string

  constructor(dir: string, newSecret: () => string) {
    this.#dir = dir
    this.#newSecret = newSecret
  }

  /** A secret that is too short counts as none. */
  of(channel: string): string | null {
    try {
      const secret = readFileSync(this.#path(channel), 'utf8')
      return secret.trim().length >= shortest ? secret : null
    } catch {
      return null
    }
  }

  /** Keeps the one that is given; makes one where signatures are wanted and there is none. Null if nothing changed. */
  async set(
    channel: string,
    given: { signature?: Signature | null | undefined; secret?: string | undefined },
  ): Promise<string | null> {
    const isMissing = given.signature != null && this.of(channel) === null
    const secret = given.secret ?? (isMissing ? this.#newSecret() : null)
    if (secret === null) return null
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    await writeFileAtomic(this.#path(channel), secret)
    return secret
  }

  forget(channel: string): void {
    rmSync(this.#path(channel), { force: true })
  }

  #path(channel: string): string {
    return join(this.#dir, `${channel}.secret`)
  }
}
