import { type ContextPart, contextSeparator, type HookCall } from '../../contract/hooks.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'

interface Debt {
  /** The call that it is about; null where calls have no ids. */
  call: string | null
  text: string
}

const mostSpeakers = 500
const mostDebts = 20

/** Messages for agents until their model can hear them: for each conversation, sub-agents apart. */
export class Owed {
  readonly #from: string
  readonly #debts = new BoundedMap<string, Debt[]>(mostSpeakers)

  constructor(from: string) {
    this.#from = from
  }

  owe(call: HookCall, text: string): void {
    const key = keyOf(call)
    const debts = this.#debts.get(key) ?? []
    if (debts.some((one) => one.text === text)) return
    this.#debts.set(key, [...debts, { call: call.tools[0]?.id ?? null, text }].slice(-mostDebts))
  }

  /** After a tool what is about it; at a prompt all that is left. What does not fit waits. */
  settle(call: HookCall, room: number): ContextPart[] {
    const debts = this.#debts.get(keyOf(call))
    if (debts === undefined) return []
    let left = room
    const due = debts.filter((debt) => {
      left -= isDue(debt, call) ? debt.text.length + contextSeparator.length : 0
      return isDue(debt, call) && left >= 0
    })
    this.#debts.set(
      keyOf(call),
      debts.filter((debt) => !due.includes(debt)),
    )
    return due.map(({ text }) => ({ from: this.#from, text }))
  }
}

const isDue = ({ call: id }: Debt, { event, tools }: HookCall): boolean =>
  event === 'prompt' ||
  event === 'after_batch' ||
  id === null ||
  tools.some((tool) => tool.id === null || tool.id === id)

const keyOf = ({ agent, subagent }: HookCall): string => `${agent ?? ''}/${subagent?.id ?? ''}`
