const controls: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\u001b\r': 'newline',
  '\u001bb': 'word-left',
  '\u001bf': 'word-right',
  '\u001bd': 'delete-word',
  '\u001b\u007f': 'ctrl-w',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
}
const sequences: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  Z: 'shift-tab',
  H: 'home',
  '1~': 'home',
  '3~': 'delete',
  F: 'end',
  '4~': 'end',
  '5~': 'pageup',
  '6~': 'pagedown',
  '1;5D': 'word-left',
  '1;3D': 'word-left',
  '1;5C': 'word-right',
  '1;3C': 'word-right',
  // The terminal is asked whether it has drawn everything, and says so.
  '0n': 'drawn',
}
const pattern = /\u001b[[O]([0-9;]*[A-Za-z~])|\u001b(?:[[O][0-9;]*)?$|\u001b[\rbfd\u007f]|\r\n|[^]/gu
const pasteBegin = '200~'
const pasteEnd = '201~'

/** A character, or the name of a key that makes none. */
const nameOf = (typed: string): string => {
  const isControl = typed < ' ' && typed.length === 1
  return controls[typed] ?? (isControl ? `ctrl-${String.fromCharCode(typed.charCodeAt(0) + 96)}` : typed)
}

export interface KeyListeners {
  key(key: string): void
  /** Pasted text is no key: a word in it must not approve anything. */
  paste?(text: string): void
}

/** Makes keys, and pasted text, of what a terminal sends. */
export class KeyReader {
  readonly #on: KeyListeners
  #isPasting = false
  #pasted = ''
  /** The beginning of a sequence whose rest has not come yet. */
  #begun = ''

  constructor(listeners: KeyListeners) {
    this.#on = listeners
  }

  read(chunk: string): void {
    const text = this.#begun + chunk
    this.#begun = ''
    for (const [all, sequence] of text.matchAll(pattern)) this.#take(all, sequence)
    this.#handOver()
  }

  #take(all: string, sequence: string | undefined): void {
    if (sequence === pasteBegin || sequence === pasteEnd) {
      this.#isPasting = sequence === pasteBegin
      return this.#handOver()
    }
    if (
      sequence === undefined &&
      all.startsWith('\u001b') &&
      (all.length > 1 ? controls[all] === undefined : this.#isPasting)
    ) {
      this.#begun = all
      return
    }
    const key = sequence === undefined ? nameOf(all) : sequences[sequence]
    // Ctrl-C gets out of a paste whose end was lost.
    if (this.#isPasting && key !== 'ctrl-c')
      this.#pasted += key === 'enter' ? '\n' : key === all || all === '\t' ? all : ''
    else if (key !== undefined) this.#on.key(key)
  }

  #handOver(): void {
    const text = this.#pasted
    this.#pasted = ''
    if (text !== '') this.#on.paste?.(text)
  }
}
