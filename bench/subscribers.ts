import { connect } from 'node:net'
import { clock } from './broadcaster.ts'
import { serveRole } from './role.ts'

export interface SubscriberOrder {
  /** How many more lines each of them waits for. */
  lines: number
}

export interface SubscriberResult {
  /** When each of them had its last line, in milliseconds since 1970. */
  at: number[]
}

/** `<path of the socket> <how many>`: subscribers that read as fast as they can, or, with `stuck` at the end, never. */
export const subscribers = (setting: string): void => {
  const [path = '', count = '', kind = ''] = setting.split(' ')
  const all = Array.from({ length: Number(count) }, () => new Subscriber(path, kind === 'stuck'))
  serveRole(async ({ lines }: SubscriberOrder): Promise<SubscriberResult> => {
    return { at: await Promise.all(all.map((subscriber) => subscriber.next(lines))) }
  })
}

const newline = 0x0a

class Subscriber {
  readonly #connected: Promise<void>
  #missing = 0
  #onComplete: (at: number) => void = () => undefined

  constructor(path: string, isStuck: boolean) {
    const socket = connect(path)
    this.#connected = new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.on('data', (chunk: Buffer) => this.#count(chunk))
    if (isStuck) socket.pause()
  }

  /** Resolves with the time when so many more lines have come. */
  async next(lines: number): Promise<number> {
    await this.#connected
    this.#missing += lines
    return this.#missing <= 0 ? clock() : new Promise((resolve) => (this.#onComplete = resolve))
  }

  #count(chunk: Buffer): void {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#missing -= 1
    if (this.#missing <= 0) this.#onComplete(clock())
  }
}
