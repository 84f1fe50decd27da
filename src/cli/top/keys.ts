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
const pattern = /\u001b[[O]([0-9;]*[A-Za-z~])|[^]/gu
const pasteBegin = '200~'
const pasteEnd = '201~'

/** Makes keys of what a terminal sends. Pasted text is no key: a word in it must not approve anything. */
export class KeyReader {
  #isPasting = false

  read(chunk: string): string[] {
    return Array.from(chunk.matchAll(pattern)).flatMap(([all, sequence]) => this.#key(all, sequence))
  }

  #key(all: string, sequence: string | undefined): string[] {
    if (sequence === pasteBegin || sequence === pasteEnd) {
      this.#isPasting = sequence === pasteBegin
      return []
    }
    if (this.#isPasting) return []
    const key = sequence === undefined ? (controls[all] ?? all) : sequences[sequence]
    return key === undefined ? [] : [key]
  }
}
