import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookCall, ToolCall } from '../../contract/hooks.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { Driver } from '../../drivers/contract.ts'
import { kindOf } from '../../drivers/tool-kinds.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import type { Awaitable, RanLine } from './types.ts'

interface Run {
  command: string
  isSuccess: boolean | null
  /** How many edits there were when it ended, and in which turn that was. */
  edits: number
  turn: number
}

const mostRuns = 300
const mostCalls = 1000
const mostAgents = 300

/** The commands and changes of one agent and its sub-agents. */
class Doings {
  readonly runs = new BoundedMap<string, Run>(mostRuns)
  /** Calls that are counted, by hooks or by the transcript: whichever came first. */
  readonly counted = new BoundedMap<string, true>(mostCalls)
  /** Calls that the transcript has not seen end. */
  readonly called = new BoundedMap<string, ToolCall>(mostCalls)
  edits = 0
  turn = 0
  tree: string | null = null
  /** Snapshots from before this daemon that are not looked at yet, oldest first. */
  readonly past: Saved[]
  /** The newest call since the last of these that was looked at: a change of the files is its. */
  calledLast: string | null = null
  /** Whether the transcript tells what was done before this daemon. */
  isTold = false
  /** The run that caused the next seen change of files; null once it was counted. */
  last: Run | null = null

  constructor(past: readonly Saved[]) {
    this.past = [...past]
  }
}

/** The files as they were at a time. */
export interface Saved {
  at: number
  tree: string
}

export interface DeedPorts {
  driver: (name: string) => Pick<Driver, 'shell' | 'actions' | 'tools'>
  /** Whether a command changes files of the project, as far as that can be told. */
  changesFiles: (command: string) => Awaitable<boolean>
  now: () => number
  /** Earlier actions are known only from transcript and snapshots. */
  since: number
  /** The snapshots of the agent's conversation on the log, oldest first. */
  snapshots: (agent: string) => readonly Saved[]
}

/** The fields of an entry that are read. */
export type ReadEntry = Pick<ConversationEntry, 'kind' | 'at' | 'blocks' | 'raw'>

/**
 * Remembers what agents ran and changed, as hooks and transcripts tell; each call counts once. What lines change is read
 * elsewhere, so what is told of one agent waits for what was told before.
 */
export class Deeds {
  readonly #ports: DeedPorts
  readonly #agents = new BoundedMap<string, Doings>(mostAgents)
  /** The last of what was told of an agent, while it is not noted yet. */
  readonly #telling = new Map<string, Promise<void>>()

  constructor(ports: DeedPorts) {
    this.#ports = ports
  }

  async ran(agent: string): Promise<RanLine[]> {
    await this.#telling.get(agent)
    const { runs, edits, turn } = this.#recalled(agent)
    return [...runs.values()].map((run) => ({
      command: run.command,
      isSuccess: run.isSuccess,
      isSinceEdit: run.edits === edits,
      isThisTurn: run.turn === turn,
    }))
  }

  async hasEdited(agent: string): Promise<boolean> {
    await this.#telling.get(agent)
    return this.#recalled(agent).edits > 0
  }

  beginTurn(agent: string): void {
    void this.#told(agent, () => void this.#recalled(agent).turn++)
  }

  /** A new conversation knows nothing of what was done in the one before. */
  beginSession(agent: string): void {
    void this.#told(agent, () => void this.#agents.set(agent, new Doings([])))
  }

  /** Rein said no to it: a batch tells of it like of any other. */
  refused(agent: string, { tools }: HookCall): void {
    void this.#told(agent, () => {
      for (const { id } of tools) if (id !== null) this.#of(agent).counted.set(id, true)
    })
  }

  heard(agent: string, call: HookCall): Promise<void> {
    return this.#told(agent, async () => {
      const { shell } = this.#ports.driver(call.driver)
      for (const tool of call.tools) {
        if (tool.id === null) {
          await this.#nameless(agent, call.driver, tool)
          continue
        }
        const isShell = shell.call(tool.name, tool.input) !== null
        const end = isShell ? shell.heard(tool.response, call.native) : null
        if (!isShell || end !== null) await this.#done(agent, call.driver, tool.id, tool, end?.outcome ?? null)
      }
    })
  }

  /** Reads an entry of the transcript: outcomes that no hook reported, and actions from before this daemon. */
  read(agent: string, driver: string, entry: ReadEntry): Promise<void> {
    return this.#told(agent, async () => {
      const { blocks, raw } = entry
      const { shell } = this.#ports.driver(driver)
      const doings = this.#of(agent)
      if (entry.at < this.#ports.since) this.#recall(doings, driver, entry)
      const noted = shell.noted?.(raw) ?? null
      if (noted !== null) await this.#ended(agent, driver, noted.id, noted.end.outcome)
      for (const block of blocks) {
        if (block.type === 'tool_use') doings.called.set(block.id, block)
        if (block.type !== 'tool_result') continue
        const end = shell.end(block, raw)
        if (end !== null || !block.isError) await this.#ended(agent, driver, block.id, end?.outcome ?? null)
      }
    })
  }

  /** Notes a snapshot; a change counts for the last action of this agent, even if others made it. */
  saved(agent: string, tree: string): void {
    void this.#told(agent, () => {
      const doings = this.#recalled(agent)
      const isChanged = doings.tree !== null && doings.tree !== tree
      doings.tree = tree
      if (isChanged && doings.last !== null) doings.last.edits = ++doings.edits
      doings.last = null
    })
  }

  /** After all that was told of the agent before; what goes wrong with one is not in the way of the next. */
  #told(agent: string, note: () => Awaitable<void>): Promise<void> {
    const before = this.#telling.get(agent) ?? Promise.resolve()
    const noted = before.then(note)
    const tail = noted
      .catch(() => undefined)
      .finally(() => {
        if (this.#telling.get(agent) === tail) this.#telling.delete(agent)
      })
    this.#telling.set(agent, tail)
    return noted
  }

  /** Forgets the planned writes of an ended call; a background command ends twice. */
  async #ended(agent: string, driver: string, id: string, outcome: Outcome | null): Promise<void> {
    const { called, runs } = this.#of(agent)
    const [call, run] = [called.get(id), runs.get(id)]
    called.delete(id)
    if (run !== undefined) run.isSuccess ??= successOf(outcome)
    else if (call !== undefined) await this.#done(agent, driver, id, call, outcome)
  }

  async #done(
    agent: string,
    driver: string,
    id: string,
    { name, input }: ToolCall,
    outcome: Outcome | null,
  ): Promise<void> {
    const doings = this.#of(agent)
    const command = this.#ports.driver(driver).shell.call(name, input)?.command ?? null
    const known = doings.runs.get(id)
    if (known !== undefined) {
      known.isSuccess ??= successOf(outcome)
      return
    }
    if (doings.counted.has(id)) return
    doings.counted.set(id, true)
    if (command === null) return this.#edited(doings, driver, name, input)
    if (await this.#ports.changesFiles(command)) doings.edits++
    const run = { command, isSuccess: successOf(outcome), edits: doings.edits, turn: doings.turn }
    doings.runs.set(id, run)
    doings.last = run
  }

  /**
   * Without an id a call cannot be told from what the transcript will say of it, so that is waited for. But an edit counts at
   * once: the transcript may be late for a stop, and counted twice it does no harm, for runs come after it there.
   */
  async #nameless(agent: string, driver: string, { name, input }: ToolCall): Promise<void> {
    const doings = this.#of(agent)
    const command = this.#ports.driver(driver).shell.call(name, input)?.command ?? null
    if (command === null) this.#edited(doings, driver, name, input)
    else if (await this.#ports.changesFiles(command)) doings.edits++
  }

  #edited(doings: Doings, driver: string, name: string, input: Record<string, unknown>): void {
    const { actions } = this.#ports.driver(driver).actions(name, input)
    if (!actions.some(({ kind }) => changing.includes(kind))) return
    doings.edits++
    doings.last = null
  }

  /** An entry from before this daemon: no hook begins its turn, or tells of its sub-agents. */
  #recall(doings: Doings, driver: string, { kind, at, blocks }: ReadEntry): void {
    recallUntil(doings, at)
    doings.isTold = true
    if (kind === 'prompt') doings.turn++
    for (const block of blocks) {
      if (block.type === 'tool_use') doings.calledLast = block.id
      if (block.type !== 'tool_result' || doings.counted.has(block.id) || doings.tree !== null) continue
      // Without snapshots its effect is unknown.
      const name = doings.called.get(block.id)?.name ?? ''
      if (kindOf(this.#ports.driver(driver), name) === 'agent') doings.edits++
    }
  }

  #recalled(agent: string): Doings {
    const doings = this.#of(agent)
    recallUntil(doings, this.#ports.now())
    return doings
  }

  #of(agent: string): Doings {
    const doings = this.#agents.get(agent) ?? new Doings(this.#ports.snapshots(agent))
    this.#agents.set(agent, doings)
    return doings
  }
}

/** Replays snapshots from before this daemon. Changes without another known author count for the agent. */
const recallUntil = (doings: Doings, until: number): void => {
  for (let next = doings.past[0]; next !== undefined && next.at <= until; next = doings.past[0]) {
    const isChanged = doings.tree !== null && doings.tree !== next.tree
    if (isChanged && (doings.calledLast !== null || !doings.isTold)) {
      doings.edits++
      const run = doings.runs.get(doings.calledLast ?? '')
      if (run !== undefined) run.edits = doings.edits
    }
    doings.tree = next.tree
    doings.calledLast = null
    doings.past.shift()
  }
}

const changing: readonly string[] = ['write', 'edit', 'delete', 'move', 'unreadable']

const successOf = (outcome: Outcome | null): boolean | null => {
  if (outcome === null || outcome === 'unknown') return null
  return outcome === 'ok'
}
