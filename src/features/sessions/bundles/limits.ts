import { ReinError } from '../../../contract/errors.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'

/** More than any real session has; less than what would fill a disk or the memory. */
export const limits = {
  entries: 5000,
  bytes: 4 * 2 ** 30,
  manifestBytes: 16 * 2 ** 20,
  textBytes: 128 * 2 ** 20,
  /** Of all files of a conversation together. */
  allTextBytes: 256 * 2 ** 20,
  /** In one of them. */
  lines: 1_000_000,
  lineBytes: 32 * 2 ** 20,
  depth: 100,
  turns: 5000,
  /** Of what is unpacked to what is packed, above `freeBytes`. */
  ratio: 200,
  freeBytes: 16 * 2 ** 20,
  /** Files of all trees together. */
  files: 200_000,
  pathBytes: 4096,
  pathDepth: 100,
  /** Of all paths together. */
  allPathBytes: 64 * 2 ** 20,
  fileBytes: 512 * 2 ** 20,
} as const

/** An untrusted bundle that is not as it has to be: nothing of it is used. */
export const hostile = (what: string): ReinError =>
  new ReinError(
    'refused',
    `This bundle is refused: ${escapeUnsafe(what)}.`,
    'Nothing of it was written. Ask whoever made it for another.',
  )

const [quote, escape] = ['"', '\\'].map((sign) => sign.charCodeAt(0))
const [opens, closes] = ['[{', ']}'].map((signs) => [signs.charCodeAt(0), signs.charCodeAt(1)]) as [number[], number[]]

/** Measured before parsing: JSON that is nested deeper than any transcript breaks its readers. */
export const depthOf = (json: string): number => {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at)
    if (isText && sign === escape) at += 1
    else if (sign === quote) isText = !isText
    else if (isText) continue
    else if (opens.includes(sign)) deepest = Math.max(deepest, (depth += 1))
    else if (closes.includes(sign)) depth -= 1
  }
  return deepest
}

/** Parses JSON of an untrusted bundle. */
export const parseHostile = (text: string, what: string): unknown => {
  if (depthOf(text) > limits.depth) throw hostile(`${what} is nested too deeply`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw hostile(`${what} is no JSON`)
  }
}
