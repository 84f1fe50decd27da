/** A frame is four bytes of length, one byte of kind, and the payload: JSON for `message`, anything for `bytes`. */
export type Frame = { kind: 'message'; value: unknown } | { kind: 'bytes'; bytes: Buffer }

const [messageKind, bytesKind] = [0x4a, 0x42]
const headLength = 5
/** Whoever announces more than this does not speak our language. */
const longest = 16 * 1024 * 1024

export const messageFrame = (value: unknown): Buffer => frame(messageKind, Buffer.from(JSON.stringify(value)))
export const bytesFrame = (bytes: Buffer): Buffer => frame(bytesKind, bytes)

const frame = (kind: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(payload.length)
  head.writeUInt8(kind, 4)
  return Buffer.concat([head, payload])
}

/** Feeds chunks in, gets whole frames out; throws at what cannot be one. */
export class FrameReader {
  #parts: Buffer[] = []
  #have = 0
  #need = headLength

  push(chunk: Buffer): Frame[] {
    this.#parts.push(chunk)
    this.#have += chunk.length
    if (this.#have < this.#need) return []
    let rest = Buffer.concat(this.#parts)
    const frames: Frame[] = []
    while (rest.length >= (this.#need = neededFor(rest))) {
      frames.push(frameOf(rest.readUInt8(4), rest.subarray(headLength, this.#need)))
      rest = rest.subarray(this.#need)
    }
    this.#parts = [rest]
    this.#have = rest.length
    return frames
  }
}

const neededFor = (bytes: Buffer): number => {
  if (bytes.length < headLength) return headLength
  const length = bytes.readUInt32BE()
  if (length > longest) throw new Error(`A frame of ${length} bytes.`)
  return headLength + length
}

const frameOf = (kind: number, payload: Buffer): Frame => {
  if (kind === bytesKind) return { kind: 'bytes', bytes: payload }
  if (kind === messageKind) return { kind: 'message', value: JSON.parse(payload.toString()) as unknown }
  throw new Error(`A frame of kind ${kind}.`)
}
