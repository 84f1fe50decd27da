/**
 * A path as text: bytes that are not UTF-8 become lone surrogates (0xff is '\udcff'), so that every name survives
 * the way to JSON and back.
 */
export type PathText = string

const escapeBase = 0xdc00
const replacement = '\ufffd'
const escaped = /[\udc80-\udcff]/
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const pathText = (bytes: Buffer): PathText => {
  const text = bytes.toString('utf8')
  if (!text.includes(replacement)) return text
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = measureCharacter(bytes, at)
    const char = bytes.subarray(at, at + Math.max(1, length))
    parts.push(length > 0 ? strict.decode(char) : String.fromCharCode(escapeBase + (bytes[at] ?? 0)))
    at += char.length
  }
  return parts.join('')
}

export const pathBytes = (path: PathText): Buffer => {
  if (!escaped.test(path)) return Buffer.from(path)
  return Buffer.concat(
    Array.from(path, (char) => (isEscape(char) ? Buffer.of(char.charCodeAt(0) - escapeBase) : Buffer.from(char))),
  )
}

/** Whether the path can be passed to a program as an argument. */
export const isPlainText = (path: PathText): boolean => !Array.from(path).some(isEscape)

const isEscape = (char: string): boolean => char.length === 1 && escaped.test(char)

/** How many bytes the character here has; 0 if it is not valid UTF-8. */
const measureCharacter = (bytes: Buffer, at: number): number => {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  try {
    strict.decode(bytes.subarray(at, at + length))
    return at + length <= bytes.length ? length : 0
  } catch {
    return 0
  }
}

/** The path below a root, as the file system wants it. */
export const pathAt = (root: string, path: PathText): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)])

/** The directories above a path, outermost first: `a/b/c` lies in `a` and `a/b`. */
export const parentsOf = (path: PathText): PathText[] => {
  const found: PathText[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at))
  return found
}

export const isBelow = (path: PathText, dir: PathText): boolean => dir === '' || path.startsWith(`${dir}/`)

export const joined = (dir: PathText, path: PathText): PathText => (dir === '' ? path : `${dir}/${path}`)
