/** Thrown where a piece of work has cost all that it may. */
export class OverBudget extends Error {
  constructor() {
    super('it costs more than is spent on it')
    this.name = 'OverBudget'
  }
}

/**
 * What one piece of work may cost, in units: about one for each character or step, and some for each thing that is kept.
 * So it bounds time and memory alike, and the same input costs the same on every machine.
 */
export class WorkBudget {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get spent(): number {
    return this.#spent
  }

  get isSpent(): boolean {
    return this.#spent > this.#limit
  }

  /** For what would go beyond any limit. */
  exhaust(): never {
    this.#spent = Math.max(this.#spent, this.#limit) + 1
    throw new OverBudget()
  }

  /** Before the work is done; throws OverBudget, also whenever it is asked again. */
  spend(units: number): void {
    this.#spent += units
    if (this.isSpent) throw new OverBudget()
  }
}
