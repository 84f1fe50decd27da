type Key = 'prefix' | 'detach' | 'aside' | 'other'

/** One byte, or a key in the form of kitty (CSI u) or of xterm's modifyOtherKeys (CSI 27 ~), which programs switch on. */
const keys = /\u001b\[([\d:;]+)([u~])|[^]/g
const begun = /\u001b\[[\d:;]+$/
const [control, locks] = [4, 64 + 128]
/** Shift, Control and the like by themselves. */
const modifierKeys = { first: 57_441, last: 57_454 }

/** Looks for Ctrl-b d in what is typed, as in tmux: Ctrl-b twice is one Ctrl-b, before anything else it is just a key. */
export class DetachKeys {
  /** A Ctrl-b, as it came. */
  #prefix = ''
  #begun = ''

  /** What is to be passed on, and whether the view ends there. */
  take(typed: Buffer): { bytes: Buffer; isDetached: boolean } {
    const text = this.#begun + typed.toString('latin1')
    this.#begun = begun.exec(text)?.[0] ?? ''
    let passed = ''
    for (const [all, fields, final] of text.slice(0, text.length - this.#begun.length).matchAll(keys)) {
      const key = fields === undefined ? plainKey(all) : codedKey(fields, final === 'u')
      if (this.#prefix !== '' && key === 'detach') return { bytes: Buffer.from(passed, 'latin1'), isDetached: true }
      if (this.#prefix === '' && key === 'prefix') this.#prefix = all
      else if (key === 'aside') passed += all
      else passed += this.#after(key) + all
    }
    return { bytes: Buffer.from(passed, 'latin1'), isDetached: false }
  }

  /** The Ctrl-b before this key, if it is one that was meant for the program. */
  #after(key: Key): string {
    const prefix = key === 'prefix' ? '' : this.#prefix
    this.#prefix = ''
    return prefix
  }
}

const plainKey = (byte: string): Key => {
  if (byte === '\u0002') return 'prefix'
  return byte === 'd' ? 'detach' : 'other'
}

const codedKey = (fields: string, isKitty: boolean): Key => {
  const [first = [], second = [], third = []] = fields.split(';').map((field) => field.split(':').map(Number))
  const code = (isKitty ? first : third)[0] ?? 0
  const modifiers = ((second[0] || 1) - 1) & ~locks
  const isReleased = second[1] === 3
  if (isReleased || (code >= modifierKeys.first && code <= modifierKeys.last)) return 'aside'
  if (code === 'b'.charCodeAt(0) && modifiers === control) return 'prefix'
  return code === 'd'.charCodeAt(0) && modifiers === 0 ? 'detach' : 'other'
}
