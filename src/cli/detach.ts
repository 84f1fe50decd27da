const [prefix, detach] = [0x02, 'd'.charCodeAt(0)]

/** Looks for Ctrl-b d in what is typed, as in tmux: Ctrl-b twice is one Ctrl-b, before anything else it is just a key. */
export class DetachKeys {
  #isPrefixed = false

  /** What is to be passed on, and whether the view ends there. */
  take(typed: Buffer): { bytes: Buffer; isDetached: boolean } {
    const passed: number[] = []
    for (const byte of typed) {
      if (!this.#isPrefixed && byte === prefix) {
        this.#isPrefixed = true
        continue
      }
      if (this.#isPrefixed && byte === detach) return { bytes: Buffer.from(passed), isDetached: true }
      if (this.#isPrefixed && byte !== prefix) passed.push(prefix)
      this.#isPrefixed = false
      passed.push(byte)
    }
    return { bytes: Buffer.from(passed), isDetached: false }
  }
}
