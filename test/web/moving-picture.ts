import type { Page } from 'playwright-core'

/** A part of the screen, in its pixels. */
interface Patch {
  x: number
  y: number
  width: number
  height: number
  /** A `data:` address. */
  picture: string
}

/** What differs from the frame before, and how long it stays until the next. */
export interface Frame {
  patches: Patch[]
  stayMs: number
}

/** Runs in a page: the bands of rows in which one screenshot differs from the one before; all of it, if there is none before. */
const findPatches = `async ([before, after]) => {
  const read = async (png) => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob())
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    return { bitmap, pixels: new Uint32Array(data.buffer) }
  }
  const { bitmap, pixels } = await read(after)
  const { width, height } = bitmap
  const old = before === null ? null : (await read(before)).pixels
  const mostApart = 24
  const bands = []
  for (let y = 0; y < height; y += 1) {
    let [left, right] = [width, -1]
    for (let x = 0; x < width; x += 1)
      if (old === null || old[y * width + x] !== pixels[y * width + x]) {
        left = Math.min(left, x)
        right = x
      }
    if (right < 0) continue
    const band = bands.at(-1)
    if (band === undefined || y - band.bottom > mostApart) bands.push({ top: y, bottom: y, left, right })
    else Object.assign(band, { bottom: y, left: Math.min(band.left, left), right: Math.max(band.right, right) })
  }
  // The edge of a layer is blended with what lies below: it has to be where both look alike.
  const edge = 8
  return bands.map(({ top, bottom, left, right }) => {
    const [x, y] = [Math.max(0, left - edge), Math.max(0, top - edge)]
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(width, right + 1 + edge) - x
    canvas.height = Math.min(height, bottom + 1 + edge) - y
    canvas.getContext('2d').drawImage(bitmap, -x, -y)
    return { x, y, width: canvas.width, height: canvas.height, picture: canvas.toDataURL('image/webp', 0.8) }
  })
}`

/** `desk`: an empty page, which compares. */
export const cutPatches = (desk: Page, before: Buffer | null, after: Buffer): Promise<Patch[]> =>
  desk.evaluate<Patch[]>(
    `(${findPatches})(${JSON.stringify([before?.toString('base64') ?? null, after.toString('base64')])})`,
  )

/** Frames over each other, each from its moment on: without motion all of them are there, which is the last. */
export const drawMoving = (
  frames: readonly Frame[],
  { width, height, scale }: { width: number; height: number; scale: number },
): string => {
  const lengthMs = frames.reduce((sum, { stayMs }) => sum + stayMs, 0)
  let at = 0
  const rules: string[] = []
  const layers = frames.map(({ patches, stayMs }, index) => {
    const from = ((100 * at) / lengthMs).toFixed(2)
    at += stayMs
    const images = patches.map(
      ({ x, y, width: wide, height: high, picture }) =>
        `<image x="${x}" y="${y}" width="${wide}" height="${high}" href="${picture}"/>`,
    )
    if (index === 0) return images.join('')
    rules.push(
      `@keyframes f${index}{0%{visibility:hidden}${from}%{visibility:visible}}#f${index}{animation-name:f${index}}`,
    )
    return `<g class="f" id="f${index}">${images.join('')}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>.f{animation:${lengthMs / 1000}s step-end infinite}@media(prefers-reduced-motion:reduce){.f{animation:none!important}}
${rules.join('\n')}</style>
<clipPath id="screen"><rect width="${width}" height="${height}" rx="14"/></clipPath>
<g clip-path="url(#screen)"><svg viewBox="0 0 ${width * scale} ${height * scale}">
${layers.join('\n')}
</svg></g>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="13.5" fill="none" stroke="#8b8b84"/>
</svg>
`
}
