/** Finds where any of many short texts stands, in one pass and whatever the text (Aho and Corasick); case is ignored. */
export class Anchors {
  /** Next state by state and sign. */
  private readonly steps: Uint16Array
  /** The texts that end in a state. */
  private readonly ends: number[][] = [[]]

  constructor(private readonly texts: readonly string[]) {
    const children = [new Map<number, number>()]
    for (const [index, text] of texts.entries()) {
      let state = 0
      for (const sign of text) {
        const code = codeOf(sign)
        let next = children[state]?.get(code)
        if (next === undefined) {
          next = children.push(new Map()) - 1
          children[state]?.set(code, next)
          this.ends.push([])
        }
        state = next
      }
      this.ends[state]?.push(index)
    }
    this.steps = new Uint16Array(children.length * signs)
    const fallback = new Uint16Array(children.length)
    const queue = [0]
    for (const state of queue) {
      // Each state also goes where its longest proper ending would go, which is nearer to the root and complete.
      const back = fallback[state] ?? 0
      this.ends[state]?.push(...(this.ends[back] ?? []))
      this.steps.copyWithin(state * signs, back * signs, (back + 1) * signs)
      for (const [code, next] of children[state] ?? []) {
        const step = state * signs + code
        fallback[next] = this.steps[step] ?? 0
        this.steps[step] = next
        queue.push(next)
      }
    }
  }

  /** Calls for each place, in the order in which they end. */
  each(text: string, found: (index: number, start: number) => void): void {
    const { steps, ends, texts } = this
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = code < 128 ? (steps[state * signs + (folded[code] ?? 0)] ?? 0) : 0
      const here = ends[state]
      if (state === 0 || here === undefined) continue
      for (const index of here) found(index, at + 1 - (texts[index]?.length ?? 0))
    }
  }
}

const signs = 128
const folded = Uint8Array.from({ length: signs }, (_, code) => codeOf(String.fromCharCode(code)))

function codeOf(sign: string): number {
  return sign.toLowerCase().charCodeAt(0)
}
