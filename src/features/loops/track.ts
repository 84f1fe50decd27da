import type { Loop } from '../../contract/loop.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { type Found, roundIn } from './rounds.ts'
import type { Call, Edit, Step } from './step.ts'
import { Turns } from './turns.ts'

const mostSteps = 60
const mostKnown = 60
/** A look that repeats after this long counts as waiting. */
const patienceMs = 30_000

interface Failure {
  step: Step
  count: number
}

/** The steps of one agent or sub-agent since the last change; finds loops among them. */
export class Track {
  #steps: Step[] = []
  readonly #failures = new BoundedMap<string, Failure>(mostKnown)
  readonly #edits = new BoundedMap<string, true>(mostKnown)
  readonly #trees = new BoundedMap<string, true>(mostKnown)
  /** Which files each call brought about the last time, by its key. */
  readonly #brought = new BoundedMap<string, string>(mostKnown)
  readonly #turns = new Turns()
  #tree: string | null = null
  #undone = 0
  /** How many times a call brought about the same files as the last time; and which calls did. */
  #returns = 0
  readonly #cycle = new Set<string>()
  #last: Step | null = null
  /** Loops that the agent was told of. */
  readonly #noted = new BoundedMap<string, true>(mostKnown)

  /** Notes a call that has ended. */
  done(step: Step): void {
    this.#turns.done(step)
    const { key, isFailed, isWait } = step
    // Without snapshots, every call that may change files counts as a change.
    if (isWait || (this.#tree === null && step.mayChange)) this.#forgetFailures(key)
    const failure = this.#failures.get(key)
    if (!isFailed || isWait) this.#failures.delete(key)
    else this.#failures.set(key, { step, count: failure?.step.result === step.result ? failure.count + 1 : 1 })
    if (step.edit !== null) this.#undone = this.#undoneBy(step.edit)
    if (step.edit !== null) this.#edits.set(nameOf(step.edit), true)
    const before = this.#steps.at(-1)
    const isPatient = !isFailed && before?.key === key && step.at - before.at >= patienceMs
    this.#steps = isWait ? [] : [...(isPatient ? [] : this.#steps), step].slice(-mostSteps)
    this.#last = step
  }

  /** The files are this now. */
  tree(id: string): void {
    if (id === this.#tree) return
    const isFirst = this.#tree === null
    const isKnown = this.#trees.has(id)
    this.#tree = id
    this.#trees.set(id, true)
    if (isFirst) return
    this.#steps = []
    this.#turns.changed()
    if (!isKnown) this.#beginCycle()
    if (this.#last?.mayChange === true) {
      const { key } = this.#last
      // Changes by others fall beside any call: a call is blamed only when it repeats.
      if (this.#brought.get(key) === id) {
        this.#cycle.add(key)
        this.#returns++
      }
      this.#brought.set(key, id)
    }
    // Others work here too: the author of a change is unknown.
    else this.#brought.clear()
    // What a command does to the files by itself is no reason that it should end otherwise.
    this.#forgetFailures(this.#last?.key ?? null)
  }

  /** Another prompt is a new beginning; the same again only ends a row. */
  prompt(text: string, isNews: boolean): void {
    this.#steps = []
    if (this.#turns.begin(text, isNews)) return
    this.#failures.clear()
    this.#edits.clear()
    this.#brought.clear()
    this.#beginCycle()
    this.#undone = 0
    this.#last = null
  }

  /** Notes a text of the agent. */
  said(words: string): void {
    this.#turns.said(words)
  }

  isNoted({ key }: Found): boolean {
    return this.#noted.has(key)
  }

  noted({ key }: Found): void {
    this.#noted.set(key, true)
  }

  /** The present loop; of several, the most frequent one. */
  loop(): Found | null {
    const { key, isFailed } = this.#last ?? { key: '', isFailed: false }
    const failure = isFailed ? this.#failures.get(key) : undefined
    return most([
      failure === undefined ? null : failing(failure),
      roundIn(this.#steps),
      this.#last === null ? null : this.#undoing(this.#last, 0),
      this.#turns.loop(),
    ])
  }

  /** The same, should this call end as it did before. */
  ahead(call: Call): Found | null {
    const again = this.again(call)
    const isUndone = call.edit !== null && this.#undoneBy(call.edit) > this.#undone
    const isUndoing = isUndone || this.#cycle.has(call.key)
    const failure = this.#failures.get(call.key)
    return most([
      failure === undefined ? null : failing({ ...failure, count: failure.count + 1 }),
      again === null || call.isWait ? null : roundIn([...this.#steps, again]),
      isUndoing ? this.#undoing(call, 1) : null,
      this.#turns.loop(),
    ])
  }

  /** How this call ended before; null if it is a new one. */
  again(call: Call): Step | null {
    return this.#failures.get(call.key)?.step ?? this.#steps.findLast(({ key }) => key === call.key) ?? null
  }

  #forgetFailures(except: string | null): void {
    for (const key of this.#failures.keys()) if (key !== except) this.#failures.delete(key)
  }

  #beginCycle(): void {
    this.#noted.clear()
    this.#cycle.clear()
    this.#returns = 0
  }

  /** An edit that was neither made nor reverted before is new. */
  #undoneBy(edit: Edit): number {
    if (this.#edits.has(nameOf({ ...edit, from: edit.to, to: edit.from }))) return this.#undone + 1
    return this.#edits.has(nameOf(edit)) ? this.#undone : 0
  }

  #undoing({ key, what, edit }: Call, more: number): Found | null {
    const count = Math.max(edit === null ? 0 : this.#undone, this.#cycle.has(key) ? this.#returns : 0) + more
    if (count === 0) return null
    const loop: Loop = { kind: 'undo', calls: [what], count, result: '' }
    return { key: 'undo', loop }
  }
}

const nameOf = ({ file, from, to }: Edit): string => `${from} ${to} ${file}`

const failing = ({ step, count }: Failure): Found => ({
  key: `failing ${step.key} ${step.result}`,
  loop: { kind: 'failing', calls: [step.what], count, result: step.shown },
})

const most = (found: readonly (Found | null)[]): Found | null =>
  found.reduce((best, one) => (one !== null && one.loop.count > (best?.loop.count ?? 0) ? one : best), null)
