import { throwIfAborted } from './git.ts'
import type { Work } from './layer.ts'

interface Round<T> {
  callers: Set<Work>
  control: AbortController
  result: Promise<T>
}

/**
 * Callers share a run that waits for its turn; one that has begun may have missed their changes.
 * `inTurn` starts one run at a time. A run is aborted when all its callers have aborted.
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
        if (round.callers.size === 0) {
          if (this.#waiting === round) this.#waiting = null
          round.control.abort()
        }
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
