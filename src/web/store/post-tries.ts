interface PostTriesPorts {
  /** `localStorage`, as for drafts: a page that was loaded again offers to send the same text. */
  store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  newId(): string
  /** Of a text: what is stored must not hold what was written. */
  digest(text: string): Promise<string>
}

const prefix = 'rein.try.'

/** Posts that were sent and not confirmed: the same text again, also after a reload, is the same post. */
export class PostTries {
  readonly #ports: PostTriesPorts
  /** Of a store that is full, by room: the digest of the text and the id of the post. */
  readonly #tries = new Map<string, string>()

  constructor(ports: PostTriesPorts) {
    this.#ports = ports
  }

  /** The id to send it with. */
  async idFor(room: string, text: string): Promise<string> {
    const digest = await this.#ports.digest(text)
    const known = this.#ports.store.getItem(prefix + room) ?? this.#tries.get(room)
    const [triedDigest, triedId] = known?.split(' ') ?? []
    if (triedDigest === digest && triedId !== undefined) return triedId
    const id = this.#ports.newId()
    try {
      this.#ports.store.setItem(prefix + room, `${digest} ${id}`)
    } catch {
      this.#tries.set(room, `${digest} ${id}`)
    }
    return id
  }

  /** It was posted, or its text was taken out of the box: the same text again is another post. */
  settle(room: string): void {
    this.#tries.delete(room)
    this.#ports.store.removeItem(prefix + room)
  }
}

/** Of all rooms, as the browser keeps them. */
export const forgetPostTries = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
