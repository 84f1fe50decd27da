// A picture of a terminal: its frame, and what stands in it.
export const LINE_HEIGHT = 19
const CELL_WIDTH = 7.3

export const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A dark frame with these lines of marked-up text. */
export const frame = (lines, columns) => {
  const [width, height] = [columns * CELL_WIDTH + 32, lines.length * LINE_HEIGHT + 28]
  const texts = lines.map(
    (line, index) => `<text x="16" y="${28 + index * LINE_HEIGHT}" xml:space="preserve">${line}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#282a36"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12" fill="#c8c8d0">
${texts.join('\n')}
</g>
</svg>
`
}

const COLOURS = { 1: '#ff6e6e', 2: '#50fa7b', 3: '#f1fa8c', 5: '#ff79c6', 6: '#8be9fd' }

/** What a cell looks like, as attributes. */
const looksOf = (cell) => {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor()] : undefined
  return [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(cell.isDim() ? ['fill-opacity="0.55"'] : []),
    ...(cell.isBold() ? ['font-weight="bold"', ...(colour === undefined ? ['fill="#ffffff"'] : [])] : []),
    ...(cell.isItalic() ? ['font-style="italic"'] : []),
  ].join(' ')
}

/** Everything on a terminal, cell by cell; cells that look alike are one piece. */
export const drawCells = (terminal) => {
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowOf(terminal.buffer.active.getLine(row)))
  return frame(rows, terminal.cols)
}

const rowOf = (line) => {
  const pieces = []
  for (let column = 0; column < line.translateToString(true).length; column += 1) {
    const cell = line.getCell(column)
    const looks = looksOf(cell)
    const last = pieces.at(-1)
    const text = cell.getChars() || (cell.getWidth() === 0 ? '' : ' ')
    if (last?.looks === looks) last.text += text
    else pieces.push({ looks, text })
  }
  return pieces
    .map(({ looks, text }) => (looks === '' ? escapeXml(text) : `<tspan ${looks}>${escapeXml(text)}</tspan>`))
    .join('')
}
