/** As much as says why something failed. */
const maxBytes = 64 * 1024

/** Keeps how an output ends, however long it is. */
export class OutputEnd {
  #chunks: Buffer[] = []
  #size = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size - (this.#chunks[0]?.length ?? 0) >= maxBytes) this.#size -= this.#chunks.shift()?.length ?? 0
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(-maxBytes).toString('utf8')
  }
}
