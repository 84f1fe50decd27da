type Key = 'leave' | 'prefix' | 'detach' | 'aside' | 'other'

/** One byte, or a key as kitty (CSI u) or xterm's modifyOtherKeys (CSI 27 ~) encode it when a program asks for that. */
const keys = /\u001b\[([\d:;]+)([u~])|[^]/g
const begun = /\u001b\[[\d:;]+$/
const [control, locks] = [4, 64 + 128]
const plainKeys: Record<string, Key> = { '\u0011': 'leave', '\u0002': 'prefix', d: 'detach' }
/** Shift, Control and other modifiers pressed alone. */
const modifierKeys = { first: 57_441, last: 57_454 }

/** Finds Ctrl-q in the input, and Ctrl-b d as tmux does: Ctrl-b twice sends one Ctrl-b, before any other key it is sent as it is. */
export class DetachKeys {
  /** A pending Ctrl-b, as the terminal encoded it. */
  #prefix = ''
  #begun = ''

  /** The bytes to pass on, and whether the view ends after them. */
  take(typed: Buffer): { bytes: Buffer; isDetached: boolean } {
    const text = this.#begun + typed.toString('latin1')
    this.#begun = begun.exec(text)?.[0] ?? ''
    let passed = ''
    for (const [all, fields, final] of text.slice(0, text.length - this.#begun.length).matchAll(keys)) {
      const key = fields === undefined ? (plainKeys[all] ?? 'other') : readCodedKey(fields, final === 'u')
      if (key === 'leave' || (this.#prefix !== '' && key === 'detach'))
        return { bytes: Buffer.from(passed, 'latin1'), isDetached: true }
      if (this.#prefix === '' && key === 'prefix') this.#prefix = all
      else if (key === 'aside') passed += all
      else {
        // A Ctrl-b before any other key was meant for the program.
        passed += (key === 'prefix' ? '' : this.#prefix) + all
        this.#prefix = ''
      }
    }
    return { bytes: Buffer.from(passed, 'latin1'), isDetached: false }
  }
}

const readCodedKey = (fields: string, isKitty: boolean): Key => {
  const [first = [], second = [], third = []] = fields.split(';').map((field) => field.split(':').map(Number))
  const code = (isKitty ? first : third)[0] ?? 0
  const modifiers = ((second[0] || 1) - 1) & ~locks
  const isReleased = second[1] === 3
  if (isReleased || (code >= modifierKeys.first && code <= modifierKeys.last)) return 'aside'
  if (code === 'q'.charCodeAt(0) && modifiers === control) return 'leave'
  if (code === 'b'.charCodeAt(0) && modifiers === control) return 'prefix'
  return code === 'd'.charCodeAt(0) && modifiers === 0 ? 'detach' : 'other'
}
