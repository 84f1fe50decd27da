import type { ScreenReading } from '../../../drivers/contract.ts'

export interface Look {
  kind: ScreenReading['kind']
  text: string
}

/** Something can change without a hook saying so. */
const whileMovingMs = 300
/** While a screen is being drawn it can show anything: what is new is looked at once more, soon. */
const toConfirmMs = 80
/** A screen that stays as it is tells by itself when it changes; this is for a notice that got lost. */
const whileStillMs = 10_000
/** So long has a screen to be the same to be still; an idle one is at once. */
const untilStillMs = 5000

/** Looks at a screen as often as it takes to know soon what it shows, and hardly ever while nothing moves. */
export class Watch {
  readonly #look: () => Promise<Look>
  readonly #onKnown: () => void
  #timer: NodeJS.Timeout | null = null
  #last: Look = { kind: 'unknown', text: '' }
  #sameSince = 0
  #isLooking = false
  #isNoticed = false
  #isOver = false

  /** `onKnown` is called when a screen has shown the same kind of thing twice in a row. */
  constructor(look: () => Promise<Look>, onKnown: () => void) {
    this.#look = look
    this.#onKnown = onKnown
    this.#schedule(0)
  }

  /** Something was drawn. */
  notice(): void {
    this.#isNoticed = true
    if (!this.#isLooking) this.#schedule(0)
  }

  stop(): void {
    this.#isOver = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#tick(), ms).unref()
  }

  async #tick(): Promise<void> {
    this.#isLooking = true
    this.#isNoticed = false
    const before = this.#last
    this.#last = await this.#look().catch(() => ({ kind: 'unknown' as const, text: '' }))
    this.#isLooking = false
    if (this.#last.text !== before.text) this.#sameSince = performance.now()
    const isNew = this.#last.kind !== before.kind
    if (!isNew && !this.#isOver) this.#onKnown()
    this.#schedule(isNew || this.#isNoticed ? toConfirmMs : this.#untilNext())
  }

  #untilNext(): number {
    const isStill = this.#last.kind === 'idle' || performance.now() - this.#sameSince > untilStillMs
    // All still ones are looked at together: waking up costs more than looking.
    return isStill ? whileStillMs - (Date.now() % whileStillMs) : whileMovingMs
  }
}
