import { generate } from 'lean-qr'

/** Readers need so much white around it. */
const quiet = 4
/** Black on white whatever the colours of the terminal are: 16 and 231 are in no theme. */
const [blackOnWhite, usual] = ['\u001b[38;5;16;48;5;231m', '\u001b[0m']

/** A QR code as lines of a terminal, two modules above each other in one cell. */
export const renderQr = (text: string): string[] => {
  const code = generate(text)
  const from = -quiet
  const to = code.size + quiet
  const lines: string[] = []
  for (let y = from; y < to; y += 2) {
    let line = ''
    for (let x = from; x < to; x += 1) line += cells[Number(code.get(x, y)) + 2 * Number(code.get(x, y + 1))]
    lines.push(`${blackOnWhite}${line}${usual}`)
  }
  return lines
}

/** Nothing, above, below, both. */
const cells = [' ', '▀', '▄', '█']

/** Columns that it takes. */
export const qrWidth = (text: string): number => generate(text).size + 2 * quiet
