import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A part of the benchmark that runs in a process of its own, so that it does not disturb what is measured. */
export class Role<Order, Result> {
  readonly #child: ChildProcess

  constructor(name: string, setting: string) {
    this.#child = fork(process.argv[1] ?? '', ['--as', name, setting])
  }

  async ask(order: Order): Promise<Result> {
    this.#child.send(order as object)
    const [result] = (await once(this.#child, 'message')) as [Result]
    return result
  }

  end(): void {
    this.#child.disconnect()
  }
}

/** The other side: answers every order until nobody is left to give one. */
export const serveRole = (perform: (order: never) => unknown): void => {
  process.on(
    'message',
    (order) => void Promise.resolve(perform(order as never)).then((answer) => process.send?.(answer)),
  )
  process.once('disconnect', () => process.exit())
}
