import { throwIfAborted } from './git.ts'
import type { Work } from './layer.ts'

interface Round<T> {
  callers: Set<Work>
  control: AbortController
  result: Promise<T>
}

/**
 * Whoever asks while a run waits for its turn shares it; one that has begun may have missed what they mean.
 * `inTurn` lets one run at a time begin. A run is called off when all who asked for it have.
 */
export class Coalescing<T> {
  readonly #inTurn: (begin: () => Promise<T>, signal: AbortSignal) => Promise<T>
  readonly #run: (work: Work) => Promise<T>
  #waiting: Round<T> | null = null

  constructor(inTurn: (begin: () => Promise<T>, signal: AbortSignal) => Promise<T>, run: (work: Work) => Promise<T>) {
    this.#inTurn = inTurn
    this.#run = run
  }

  async ask(work: Work): Promise<T> {
    throwIfAborted(work.signal)
    const round = this.#waiting ?? this.#newRound()
    round.callers.add(work)
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        round.callers.delete(work)
        if (round.callers.size === 0) this.#callOff(round)
        try {
          throwIfAborted(work.signal)
        } catch (cause) {
          reject(cause)
        }
      }
      work.signal?.addEventListener('abort', leave)
      round.result.then(resolve, reject).finally(() => work.signal?.removeEventListener('abort', leave))
    })
  }

  #callOff(round: Round<T>): void {
    if (this.#waiting === round) this.#waiting = null
    round.control.abort()
  }

  #newRound(): Round<T> {
    const [callers, control] = [new Set<Work>(), new AbortController()]
    const onProgress: Work['onProgress'] = (progress) => callers.forEach((caller) => caller.onProgress?.(progress))
    const begin = (): Promise<T> => {
      this.#waiting = null
      return this.#run({ signal: control.signal, onProgress })
    }
    const round = { callers, control, result: this.#inTurn(begin, control.signal) }
    this.#waiting = round
    return round
  }
}
