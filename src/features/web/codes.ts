import { createHash, timingSafeEqual } from 'node:crypto'
import { ReinError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scope.ts'

/** What a code gives to the device that brings it. */
export interface Grant {
  scopes: Scope[]
  /** Null: as the device names itself. */
  name: string | null
}

interface OpenCode {
  digest: Buffer
  grant: Grant
  expiresAt: number
  onEnd: () => void
}

interface Parts {
  now: () => number
  random: (bytes: number) => Buffer
  /** So many wrong codes came since it was told last; told at most once a minute. */
  onWrong: (count: number) => void
}

const codeBytes = 16
export const codeLifeMs = 5 * 60_000
/** More than a person has open; the oldest gives way. */
const mostOpen = 16
const tellEveryMs = 60_000

/** The codes that pair a device: each once, for five minutes, and in memory only, as a digest. */
export class PairingCodes {
  readonly #parts: Parts
  #open: OpenCode[] = []
  #wrong = 0
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `onEnd`: it was used, or its time is over. */
  make(grant: Grant, onEnd: () => void = () => undefined): { code: string; expiresAt: number } {
    const code = this.#parts.random(codeBytes).toString('base64url')
    const expiresAt = this.#parts.now() + codeLifeMs
    this.#open.push({ digest: digestOf(code), grant, expiresAt, onEnd })
    if (this.#open.length > mostOpen) this.#end([this.#open[0]])
    return { code, expiresAt }
  }

  /** Spends a code. Wrong ones are not limited: nobody guesses 128 bits, and a limit would keep a person from pairing. */
  take(code: string): Grant {
    this.sweep()
    const digest = digestOf(code)
    const found = this.#open.filter((one) => timingSafeEqual(one.digest, digest))
    this.#end(found)
    if (found[0] !== undefined) return found[0].grant
    this.#wrong += 1
    this.#tellWrong()
    throw new ReinError('forbidden', 'This code is wrong, was used already, or is older than 5 minutes.', freshCodeHint)
  }

  /** Ends what is over. */
  sweep(): void {
    this.#tellWrong()
    this.#end(this.#open.filter(({ expiresAt }) => expiresAt <= this.#parts.now()))
  }

  clear(): void {
    this.#end(this.#open)
  }

  #tellWrong(): void {
    const now = this.#parts.now()
    if (this.#wrong === 0 || now - this.#toldAt < tellEveryMs) return
    this.#parts.onWrong(this.#wrong)
    this.#wrong = 0
    this.#toldAt = now
  }

  #end(ended: readonly (OpenCode | undefined)[]): void {
    this.#open = this.#open.filter((one) => !ended.includes(one))
    for (const one of ended) one?.onEnd()
  }
}

const digestOf = (code: string): Buffer => createHash('sha256').update(code).digest()

const freshCodeHint = 'Make a new one: rein web pair'
