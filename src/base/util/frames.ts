/** A frame is four bytes of length, one byte of kind, and the payload: JSON for `message`, anything for `bytes`. */
export type Frame = { kind: 'message'; value: unknown } | { kind: 'bytes'; bytes: Buffer }

const [messageKind, bytesKind] = [0x4a, 0x42]
const headLength = 5
/** A peer that announces more does not speak this protocol. */
const longest = 16 * 1024 * 1024

export const messageFrame = (value: unknown): Buffer => frame(messageKind, Buffer.from(JSON.stringify(value)))
export const bytesFrame = (bytes: Buffer): Buffer => frame(bytesKind, bytes)

const frame = (kind: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(payload.length)
  head.writeUInt8(kind, 4)
  return Buffer.concat([head, payload])
}

/** Turns chunks into whole frames; throws at anything that cannot be one. */
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
    for (this.#need = headLength; rest.length >= headLength; this.#need = headLength) {
      const length = rest.readUInt32BE()
      if (length > longest) throw new Error(`A frame of ${length} bytes.`)
      this.#need = headLength + length
      if (rest.length < this.#need) break
      const [kind, payload] = [rest.readUInt8(4), rest.subarray(headLength, this.#need)]
      if (kind === bytesKind) frames.push({ kind: 'bytes', bytes: payload })
      else if (kind === messageKind) frames.push({ kind: 'message', value: JSON.parse(payload.toString()) as unknown })
      else throw new Error(`A frame of kind ${kind}.`)
      rest = rest.subarray(this.#need)
    }
    this.#parts = [rest]
    this.#have = rest.length
    return frames
  }
}
