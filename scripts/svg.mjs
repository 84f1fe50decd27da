// Pictures of a terminal, still and moving, from the cells of a terminal that a program has really drawn on.
const LINE_HEIGHT = 19
const CELL_WIDTH = 7.25
const [LEFT, TOP] = [16, 28]
const COLOURS = { 0: '#21222c', 1: '#ff6e6e', 2: '#50fa7b', 3: '#f1fa8c', 4: '#bd93f9', 5: '#ff79c6', 6: '#8be9fd' }
const [INK, PAPER, BRIGHT] = ['#c8c8d0', '#282a36', '#ffffff']

/** Newer browsers ignore xml:space, so that columns would move together: only a space that does not break stays everywhere. */
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0')

/** What a cell looks like: attributes of its text, and the colour behind it. */
const looksOf = (cell) => {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor()] : undefined
  const behind = cell.isBgPalette() ? COLOURS[cell.getBgColor()] : undefined
  const bold = cell.isBold() ? ' font-weight="bold"' : ''
  const italic = cell.isItalic() ? ' font-style="italic"' : ''
  if (cell.isInverse()) return { text: ` fill="${behind ?? PAPER}"${bold}${italic}`, behind: colour ?? INK }
  const fill = colour ?? (cell.isBold() ? BRIGHT : undefined)
  const dim = cell.isDim() ? ' fill-opacity="0.6"' : ''
  return { text: `${fill === undefined ? '' : ` fill="${fill}"`}${bold}${italic}${dim}`, behind }
}

const x = (column) => Number((LEFT + column * CELL_WIDTH).toFixed(1))

/** One row, as marked-up text; cells that look alike are one piece, each at its own place whatever the font. */
const drawRow = (line, row) => {
  const pieces = []
  const end = Math.max(
    line.translateToString(true).length,
    ...Array.from({ length: line.length }, (_, column) => (line.getCell(column).isInverse() ? column + 1 : 0)),
  )
  for (let column = 0; column < end; column += 1) {
    const cell = line.getCell(column)
    if (cell.getWidth() === 0) continue
    const { text: look, behind } = looksOf(cell)
    const text = cell.getChars() || ' '
    const last = pieces.at(-1)
    if (last?.look === look && last.behind === behind) {
      last.text += text
      last.width += cell.getWidth()
    } else pieces.push({ look, behind, text, column, width: cell.getWidth() })
  }
  const y = TOP + row * LINE_HEIGHT
  const backs = pieces
    .filter(({ behind }) => behind !== undefined)
    .map(
      ({ behind, column, width }) =>
        `<rect x="${x(column)}" y="${y - 14}" width="${(width * CELL_WIDTH).toFixed(1)}" height="${LINE_HEIGHT}" fill="${behind}"/>`,
    )
  const texts = pieces
    .filter(({ text }) => text.trim() !== '')
    .map(({ look, text, column }, index, all) => {
      // What follows directly flows on: a path before it may be written shorter than it was.
      const before = all[index - 1]
      const isNext = before !== undefined && before.column + before.width === column && !/ {2}$/.test(before.text)
      return `<tspan${isNext ? '' : ` x="${x(column)}"`}${look}>${escapeXml(isNext || index + 1 < all.length ? text : text.trimEnd())}</tspan>`
    })
  return texts.length === 0 ? backs.join('') : `${backs.join('')}<text y="${y}">${texts.join('')}</text>`
}

/** All rows of a terminal as they are now. */
export const takeFrame = (terminal) => {
  const { active } = terminal.buffer
  return Array.from({ length: terminal.rows }, (_, row) => drawRow(active.getLine(active.viewportY + row), row))
}

const page = (columns, rows, content) => {
  const [width, height] = [Math.ceil(columns * CELL_WIDTH) + 2 * LEFT, rows * LINE_HEIGHT + TOP]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12" fill="${INK}">
${content}
</g>
</svg>
`
}

export const drawStill = (terminal) =>
  page(
    terminal.cols,
    terminal.rows,
    takeFrame(terminal)
      .filter((row) => row !== '')
      .join('\n'),
  )

/** Frames with the moment (in ms) each was seen; a row is drawn again only where it differs from the frame before. */
export const drawMoving = (columns, frames, lengthMs) => {
  const rows = frames[0].rows.map((_, row) => {
    const shown = []
    for (const { at, rows: now } of frames)
      if (shown.at(-1)?.content !== now[row]) shown.push({ at, content: now[row] })
    return shown
      .map(({ at, content }, index) => ({
        from: at / lengthMs,
        to: (shown[index + 1]?.at ?? lengthMs) / lengthMs,
        content,
      }))
      .filter(({ content }) => content !== '')
      .map(({ from, to, content }) =>
        from === 0 && to === 1 ? content : `<g visibility="hidden">${content}${during(from, to, lengthMs)}</g>`,
      )
      .join('\n')
  })
  return page(columns, frames[0].rows.length, rows.filter((row) => row !== '').join('\n'))
}

const during = (from, to, lengthMs) => {
  const times = [...(from === 0 ? [] : [[0, 'hidden']]), [from, 'visible'], ...(to >= 1 ? [] : [[to, 'hidden']])]
  return `<animate attributeName="visibility" calcMode="discrete" dur="${lengthMs / 1000}s" repeatCount="indefinite" values="${times.map(([, value]) => value).join(';')}" keyTimes="${times.map(([time]) => Number(time.toFixed(4))).join(';')}"/>`
}
