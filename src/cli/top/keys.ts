const controls: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u0003': 'ctrl-c',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
}
const sequences: Record<string, string> = {
  A: 'up',
  B: 'down',
  H: 'home',
  '1~': 'home',
  F: 'end',
  '4~': 'end',
  '5~': 'pageup',
  '6~': 'pagedown',
}
const pattern = /\u001b[[O]([0-9;]*[A-Za-z~])|\u001b(?:[[O][0-9;]*)?$|[^]/gu
const pasteBegin = '200~'
const pasteEnd = '201~'

/** Makes keys of what a terminal sends. Pasted text is no key: a word in it must not approve anything. */
export class KeyReader {
  #isPasting = false
  /** The beginning of a sequence whose rest has not come yet. */
  #begun = ''

  read(chunk: string): string[] {
    const text = this.#begun + chunk
    this.#begun = ''
    return Array.from(text.matchAll(pattern)).flatMap(([all, sequence]) => this.#key(all, sequence))
  }

  #key(all: string, sequence: string | undefined): string[] {
    if (sequence === pasteBegin || sequence === pasteEnd) {
      this.#isPasting = sequence === pasteBegin
      return []
    }
    if (sequence === undefined && this.#isBegun(all)) {
      this.#begun = all
      return []
    }
    const key = sequence === undefined ? (controls[all] ?? all) : sequences[sequence]
    // Whoever lost the end of a paste gets out with it.
    if (this.#isPasting && key !== 'ctrl-c') return []
    return key === undefined ? [] : [key]
  }

  /** Nobody presses Escape in the middle of a paste. */
  #isBegun(all: string): boolean {
    return all.startsWith('\u001b') && (all.length > 1 || this.#isPasting)
  }
}
