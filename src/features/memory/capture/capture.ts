import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Agent } from '../../../contract/agent.ts'
import { type Command } from '../../../contract/command.ts'
import { blank, longestCommand } from '../../../contract/outcome.ts'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { HookCall, ToolCall } from '../../../contract/hooks.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { Driver, ShellCall, ShellEnd } from '../../../drivers/contract.ts'
import { interrupted } from '../../../drivers/shell-end.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { textOf } from '../../../base/util/json.ts'
import { keptOutput, tookMs } from '../recorded.ts'
import type { GitState } from './git-state.ts'
import { type Open, Session } from './session.ts'
import type { UsedTool, Work } from './since.ts'

/** A command that an agent ran, still with its secrets. */
export interface Heard {
  command: Command
  agent: string
  project: string
  /** It was put on record with this. */
  isNew: boolean
  /** False while only its transcript can tell how it ended, or under which id: its own is made up until then. */
  isRecorded: boolean
}

export type Worker = Pick<Agent, 'id' | 'project' | 'cwd' | 'driver' | 'conversation'>

export interface CapturePorts {
  driver: (name: string) => Driver
  agent: (id: string) => Worker | null
  /** Whether this command is on record. */
  isKnown: (id: string) => boolean
  /** Whether such a command, run here, is kept at all. */
  isRemembered: (command: string, cwd: string | null, agent: string) => boolean
  git: (cwd: string) => GitState
  record: (found: Heard[]) => void
  /** It was never run: a hook of somebody else has refused it. */
  takeBack: (id: string) => void
  now: () => number
}

const mostSessions = 300
/** As many as one batch tells of once more: what is older is known by its id. */
const mostRecent = 200
/** The branch of today says nothing about what was run long ago. */
const freshMs = 60_000
const unknownState: GitState = { branch: null, isDirty: null }

/** Finds each shell command of each agent, once: by hooks when it has just ended, by transcripts what hooks missed. */
export class Capture {
  readonly #ports: CapturePorts
  readonly #sessions = new BoundedMap<string, Session>(mostSessions)
  readonly #recorded = new BoundedMap<string, Command>(mostRecent)

  constructor(ports: CapturePorts) {
    this.#ports = ports
  }

  /** The commands that have just ended, as this hook call tells. */
  hear(call: HookCall): Heard[] {
    const agent = call.agent === null ? null : this.#ports.agent(call.agent)
    if (agent === null) return []
    if (call.event === 'before_tool') this.#begin(call)
    if (call.event !== 'after_tool' && call.event !== 'after_batch') return []
    const heard = call.tools.flatMap((tool, index) => this.#hearTool(call, agent, tool, index))
    this.#record(heard)
    return heard.filter(({ command }) => command.command !== blank.command)
  }

  /** Rein said no to this call. */
  refuse(call: HookCall): void {
    for (const { id } of call.tools) if (id !== null) this.#session(sessionOf(call)).refused.set(id, true)
  }

  /** Rein had this run in place of what the model wanted: some CLIs tell of the one, some of the other. */
  rewrite(call: HookCall, input: Record<string, unknown>): void {
    const { shell } = this.#ports.driver(call.driver)
    for (const { id, name, input: wanted } of call.tools) {
      const [from, to] = [shell.call(name, wanted), shell.call(name, input)]
      if (from !== null && to !== null) this.#session(sessionOf(call)).rewrite(id, from.command, to.command)
    }
  }

  /** What the agent did since its last command. */
  since(call: HookCall): Work {
    return this.sinceLast(sessionOf(call))
  }

  /** The same for a conversation, or one of its sub-agents. */
  sinceLast(session: string): Work {
    return this.#sessions.get(session)?.since.work ?? { tools: [], edited: [] }
  }

  /** An entry of an agent's transcript; after a restart also of those that are known. */
  read(agent: Worker, entry: ConversationEntry): void {
    const key = agent.conversation ?? agent.id
    const place = { agent, entry, key, session: this.#session(key), driver: this.#ports.driver(agent.driver) }
    const found = entry.blocks.flatMap((block) => this.#block(place, block))
    const noted = place.driver.shell.noted?.(entry.raw) ?? null
    if (noted !== null) found.push(...this.#ended(place, noted.id, noted.end, entry.at))
    if (entry.isInterrupt === true)
      for (const id of place.session.open.keys()) found.push(...this.#ended(place, id, interrupted('')))
    this.#record(found)
  }

  #begin(call: HookCall): void {
    const { shell } = this.#ports.driver(call.driver)
    for (const { id, name, input } of call.tools) {
      const wanted = shell.call(name, input)
      if (wanted === null) continue
      const key = id ?? wanted.command
      const session = this.#session(sessionOf(call))
      session.begun.set(key, { at: this.#ports.now(), cwd: call.cwd })
      // It begins now, not when the model asked for it.
      const open = session.open.get(key)
      if (open !== undefined) open.at = this.#ports.now()
    }
  }

  #hearTool(call: HookCall, agent: Worker, tool: ToolCall, index: number): Heard[] {
    const { shell } = this.#ports.driver(call.driver)
    const session = this.#session(sessionOf(call))
    const wanted = shell.call(tool.name, tool.input)
    if (wanted === null) return this.#noteTool(session, tool)
    const end = tool.id !== null && session.refused.has(tool.id) ? null : shell.heard(tool.response, call.native)
    if (end === null || wanted.command.trim() === '') return []
    const callId = tool.id ?? session.idOf(wanted.command)
    const id = commandId(call.driver, callId ?? fingerprint(call, index))
    const known = this.#recorded.get(id)
    if (known !== undefined) return [heardOf(known, agent, false, true)]
    if (this.#ports.isKnown(id)) return []
    const begun = this.#begunBy(call, agent, session, tool.id ?? wanted.command)
    const open = this.#openFor(session, callId, wanted, begun)
    open.heardAt ??= this.#ports.now()
    const command = { ...commandOf(open, end, open.heardAt, 'hook'), id, session: sessionOf(call), author: call.driver }
    if (!this.#isKept(command, agent)) return callId === null ? [] : [this.#passedOver(command, agent)]
    const isCertain = call.subagent !== null || (callId !== null && end.outcome !== 'unknown')
    if (isCertain && callId !== null) session.open.delete(callId)
    if (!isCertain && callId === null) session.keep(open)
    return [heardOf(command, agent, isCertain, isCertain)]
  }

  #noteTool(session: Session, tool: UsedTool): [] {
    // Without an id it cannot be told from what the transcript will say.
    if (tool.id !== null) session.since.note(tool)
    return []
  }

  #begunBy({ cwd }: HookCall, agent: Worker, { begun }: Session, key: string): { at: number; cwd: string } {
    const start = begun.get(key)
    begun.delete(key)
    return { at: start?.at ?? this.#ports.now(), cwd: start?.cwd ?? cwd ?? agent.cwd }
  }

  /** Takes over what is known of a call by now; else it begins here. */
  #openFor(session: Session, id: string | null, wanted: ShellCall, place: { at: number | null; cwd: string }): Open {
    const command = id === null ? wanted.command : session.ranFor(id, wanted.command)
    const known = id === null ? undefined : (session.open.get(id) ?? session.named(command))
    const cwd = path.resolve(place.cwd, wanted.cwd ?? '')
    const open = known ?? {
      command,
      cwd,
      at: place.at,
      ...session.since.take(),
      ...this.#stateAt(cwd, place.at),
      heardAt: null,
    }
    if (id !== null) session.open.set(id, open)
    return open
  }

  #stateAt(cwd: string, at: number | null): GitState {
    return at !== null && this.#ports.now() - at < freshMs ? this.#ports.git(cwd) : unknownState
  }

  #block(place: Place, block: TurnBlock): Heard[] {
    if (block.type === 'tool_use') this.#called(place, block)
    if (block.type !== 'tool_result') return []
    const end = place.driver.shell.end(block, place.entry.raw)
    const id = commandId(place.agent.driver, block.id)
    if (end === null && block.isError) this.#refused(place, block.id, id)
    return this.#ended(place, block.id, end)
  }

  /** A batch cannot tell what a hook refused from what was printed: its word is taken back. */
  #refused({ session }: Place, call: string, id: string): void {
    session.refused.set(call, true)
    if (this.#isKnown(id)) this.#ports.takeBack(id)
  }

  #called(
    { agent, entry, session, driver }: Place,
    { id, name, input }: Extract<TurnBlock, { type: 'tool_use' }>,
  ): void {
    const wanted = driver.shell.call(name, input)
    if (wanted === null) return session.since.note({ id, name, input })
    if (wanted.command.trim() === '' || this.#recorded.has(commandId(driver.name, id))) return
    // One of before a restart: what was done until then belongs to it.
    if (this.#ports.isKnown(commandId(driver.name, id))) return void session.since.take()
    const cwd = textOf(entry.raw['cwd']) ?? agent.cwd
    this.#openFor(session, id, wanted, { at: entry.at || null, cwd })
  }

  /** `at`: when exactly that was, where it is told. */
  #ended({ agent, entry, key, session, driver }: Place, call: string, end: ShellEnd | null, at?: number): Heard[] {
    const open = session.open.get(call)
    session.open.delete(call)
    if (open === undefined || end === null) return []
    const id = commandId(driver.name, call)
    if (this.#isKnown(id)) return []
    const ended = at ?? open.heardAt ?? entry.at
    const command = { ...commandOf(open, end, ended, 'transcript'), id, session: key, author: driver.name }
    if (!this.#isKept(command, agent)) return [this.#passedOver(command, agent)]
    return [heardOf(command, agent, true, true)]
  }

  #isKept({ command, cwd }: Pick<Command, 'command' | 'cwd'>, agent: Worker): boolean {
    return command.length <= longestCommand && this.#ports.isRemembered(command, cwd, agent.id)
  }

  /** Known by its id alone, so that nobody takes it in later: what is not to be remembered stays so. */
  #passedOver(command: Command, agent: Worker): Heard {
    return heardOf({ ...command, ...blank }, agent, true, true)
  }

  #record(heard: readonly Heard[]): void {
    const found = heard.filter(({ isNew }) => isNew)
    for (const { command } of found) this.#recorded.set(command.id, command)
    if (found.length > 0) this.#ports.record(found)
  }

  #isKnown(id: string): boolean {
    return this.#recorded.has(id) || this.#ports.isKnown(id)
  }

  #session(key: string): Session {
    const session = this.#sessions.get(key) ?? new Session()
    this.#sessions.set(key, session)
    return session
  }
}

/** An entry, and where it was read. */
interface Place {
  agent: Worker
  entry: ConversationEntry
  key: string
  session: Session
  driver: Driver
}

const heardOf = (command: Command, { id, project }: Worker, isNew: boolean, isRecorded: boolean): Heard => ({
  command,
  agent: id,
  project,
  isNew,
  isRecorded,
})

const commandId = (driver: string, call: string): string => `cmd_${driver}_${call}`

/** A hook without ids that is called twice for the same has the same time in it. */
const fingerprint = ({ raw }: HookCall, index: number): string =>
  createHash('sha256')
    .update(`${index} ${JSON.stringify(raw)}`)
    .digest('hex')
    .slice(0, 24)

/** A sub-agent works on its own. */
export const sessionOf = ({ conversation, agent, subagent }: HookCall): string => {
  const session = conversation ?? agent ?? ''
  return subagent === null ? session : `${session}/${subagent.id}`
}

const commandOf = (
  { command, cwd, at, branch, isDirty, tools, edited }: Open,
  end: ShellEnd,
  endedAt: number,
  source: Command['source'],
): Omit<Command, 'id' | 'session' | 'author'> => ({
  command,
  at,
  cwd,
  exit: end.exit,
  durationMs: tookMs(end, at, endedAt),
  outcome: end.outcome,
  output: keptOutput(end.outcome, end.output),
  branch,
  isDirty,
  tools,
  edited,
  source,
  secrets: 0,
})
