import { createHash } from 'node:crypto'
import type { Found } from './rounds.ts'
import { short, type Step } from './step.ts'

/** Turns of one agent: whether the same prompt leads to the same work and the same words, again and again. */
export class Turns {
  #prompt: string | null = null
  #work = createHash('sha256')
  #words = ''
  #before: string | null = null
  #count = 0

  done({ key, result }: Step): void {
    this.#work.update(`${key} ${result} `)
  }

  said(words: string): void {
    this.#words = words
  }

  /** Something is not as it was before. */
  changed(): void {
    this.#before = null
    this.#count = 0
  }

  /** True if it is the prompt of before. */
  begin(text: string, isNews: boolean): boolean {
    const isSame = !isNews && text === this.#prompt
    const turn = `${this.#work.digest('hex')} ${this.#words}`
    if (!isSame) this.changed()
    else {
      this.#count = turn === this.#before ? this.#count + 1 : 1
      this.#before = turn
    }
    this.#prompt = text
    this.#work = createHash('sha256')
    return isSame
  }

  loop(): Found | null {
    if (this.#count < 2) return null
    return {
      key: 'turns',
      loop: { kind: 'turns', calls: [short(this.#prompt ?? '')], count: this.#count, result: short(this.#words) },
    }
  }
}
