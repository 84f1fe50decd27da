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
export const serveRole = <Order, Result>(perform: (order: Order) => Promise<Result> | Result): void => {
  process.on('message', (order: Order) => void Promise.resolve(perform(order)).then((result) => process.send?.(result)))
  process.once('disconnect', () => process.exit())
}
