import type { Question } from '../../contract/agent.ts'
import type { HookCall, ToolCall } from '../../contract/hooks.ts'

/** One call that Rein wants a person to be asked about. */
interface Ask {
  id: string | null
  name: string
  input: string
  /** Made by the agent itself, not by a sub-agent. */
  isOwn: boolean
  why: string
}

/** A question, and the tool call that waits for its answer, where that is told. */
export interface Asked {
  question: Question
  call: string | null
  /** The call in its CLI's own words, where the question has others for it. */
  tool?: Pick<ToolCall, 'name' | 'input'> | undefined
}

/** What a hook tells of a question. */
export const askedAt = ({ question, tools }: HookCall): Asked | null =>
  question === null ? null : { question, call: tools[0]?.id ?? null }

/** Why a person is to be asked about the calls of one agent. Each reason stands until its own call has ended: others end beside it. */
export class PersonAsks {
  #asks: Ask[] = []
  /** Set while questions may be open whose reasons an earlier daemon had. */
  #lost: string | null = null

  /** Of what is open at a takeover only one question is on the log: all are left to a person. */
  takeOver(open: Question | null): void {
    this.#lost = open === null ? null : (open.why ?? 'Rein was started anew while this was asked.')
  }

  /** What the host says is asked now: after a takeover that may be nothing any more. */
  hear(question: Question | null, call: string | null, tool?: Asked['tool']): Asked | null {
    if (question !== null) return tool === undefined ? { question, call } : { question, call, tool }
    this.#lost = null
    return null
  }

  /** The reply to the hook before this call said that a person is to be asked. */
  open(
    { tools, subagent }: Pick<HookCall, 'tools' | 'subagent'>,
    why: string,
    rewritten?: Record<string, unknown>,
  ): void {
    for (const { id, name, input } of tools)
      this.#asks.push({ id, name, input: JSON.stringify(rewritten ?? input), isOwn: subagent === null, why })
  }

  heed({ event, tools }: HookCall): void {
    if (event === 'after_tool' || event === 'after_batch') for (const tool of tools) this.#close(tool)
    // Whoever stops has no call open, but its sub-agents may.
    if (event === 'stop' || event === 'stop_failed') this.#asks = this.#asks.filter(({ isOwn }) => !isOwn)
  }

  /** Where calls have no ids, a call that was denied may never be heard of again. */
  answered(question: Question): void {
    const ask = this.#find({ question, call: null })
    if (ask?.id === null) this.#asks = this.#asks.filter((one) => one !== ask)
  }

  forget(): void {
    this.#asks = []
    this.#lost = null
  }

  /** Null if nobody wants this one to be asked about. In doubt it is what was asked for last. */
  why(asked: Asked): string | null {
    return this.#find(asked)?.why ?? this.#lost
  }

  /** The question, with Rein's reason for it. */
  explained(asked: Asked | null): Question | null {
    const why = asked === null ? null : this.why(asked)
    return asked === null || why === null ? (asked?.question ?? null) : { ...asked.question, why }
  }

  #find({ question, call }: Asked): Ask | undefined {
    const fitting = this.#asks.filter(({ id, name }) => {
      if (id === null) return true
      return call === null ? name === question.tool : id === call
    })
    const input = JSON.stringify(question.input)
    return fitting.findLast((ask) => ask.input === input) ?? fitting.at(-1)
  }

  /** Two calls without ids may be the same: one of them has ended. */
  #close({ id, name, input }: ToolCall): void {
    const text = JSON.stringify(input)
    const index = this.#asks.findIndex((ask) =>
      ask.id === null || id === null ? ask.name === name && ask.input === text : ask.id === id,
    )
    if (index >= 0) this.#asks.splice(index, 1)
  }
}
