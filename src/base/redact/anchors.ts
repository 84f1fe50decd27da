/** Finds where any of many short texts stands, in one pass and whatever the text (Aho and Corasick); case is ignored. */
export class Anchors {
  /** Next state by state and sign. */
  private readonly steps: Uint16Array
  /** The texts that end in a state. */
  private readonly ends: number[][]

  constructor(private readonly texts: readonly string[]) {
    const size = texts.reduce((sum, text) => sum + text.length, 1)
    this.steps = new Uint16Array(size * signs)
    const ends = Array.from({ length: size }, (): number[] => [])
    let states = 1
    for (const [index, text] of texts.entries()) {
      let state = 0
      for (const sign of text) {
        const step = state * signs + codeOf(sign)
        if (this.steps[step] === 0) this.steps[step] = states++
        state = this.steps[step] ?? 0
      }
      ends[state]?.push(index)
    }
    this.steps = this.steps.slice(0, states * signs)
    this.ends = ends.slice(0, states)
    this.link(this.ends)
  }

  /** Each state also goes where its longest proper ending would go. */
  private link(ends: number[][]): void {
    const { steps } = this
    const fallback = new Uint16Array(ends.length)
    const queue = [...steps.subarray(0, signs)].filter((state) => state !== 0)
    for (const state of queue) {
      const back = fallback[state] ?? 0
      ends[state]?.push(...(ends[back] ?? []))
      for (let sign = 0; sign < signs; sign++) {
        const next = steps[state * signs + sign] ?? 0
        const otherwise = steps[back * signs + sign] ?? 0
        if (next === 0) steps[state * signs + sign] = otherwise
        else {
          fallback[next] = otherwise
          queue.push(next)
        }
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
