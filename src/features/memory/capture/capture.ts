import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Agent } from '../../../contract/agent.ts'
import type { Command } from '../../../contract/command.ts'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { HookCall, ToolCall } from '../../../contract/hooks.ts'
import { blank, longestCommand } from '../../../contract/outcome.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { Driver, ShellCall, ShellEnd } from '../../../drivers/contract.ts'
import { interrupted } from '../../../drivers/shell-end.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { textOf } from '../../../base/util/json.ts'
import { keptOutput, tookMs } from '../recorded.ts'
import type { GitState } from './git-state.ts'
import { type Open, Session } from './session.ts'
import type { Work } from './since.ts'

/** A command that an agent ran, still with its secrets. */
export interface Heard {
  command: Command
  agent: string
  project: string
  /** It is put on record now. */
  isNew: boolean
  /** False while only its transcript can tell its result, or its id: the id is made up until then. */
  isRecorded: boolean
}

type Worker = Pick<Agent, 'id' | 'project' | 'cwd' | 'driver' | 'conversation'>

export interface CapturePorts {
  driver: (name: string) => Driver
  agent: (id: string) => Worker | null
  /** Whether this command is on record. */
  isKnown: (id: string) => boolean
  /** Whether such a command is kept at all. */
  isRemembered: (command: string, cwd: string | null, agent: string) => boolean
  git: (cwd: string) => GitState
  record: (found: Heard[]) => void
  /** The command never ran: another hook has refused it. */
  takeBack: (id: string) => void
  now: () => number
}

const mostSessions = 300
/** As many as one batch repeats: older commands are known by their id. */
const mostRecent = 200
/** Today's branch says nothing about a command that ran long ago. */
const freshMs = 60_000

/** An entry of a transcript, and its conversation. */
interface Place {
  agent: Worker
  entry: ConversationEntry
  key: string
  session: Session
  driver: Driver
}

/** Finds each shell command of each agent once: by hooks when it ends, by transcripts if hooks missed it. */
export class Capture {
  readonly #ports: CapturePorts
  readonly #sessions = new BoundedMap<string, Session>(mostSessions)
  readonly #recorded = new BoundedMap<string, Command>(mostRecent)

  constructor(ports: CapturePorts) {
    this.#ports = ports
  }

  /** The commands that have just ended, according to this hook call. */
  hear(call: HookCall): Heard[] {
    const agent = call.agent === null ? null : this.#ports.agent(call.agent)
    if (agent === null) return []
    if (call.event === 'before_tool') this.#begin(call)
    if (call.event !== 'after_tool' && call.event !== 'after_batch') return []
    const heard = call.tools.flatMap((tool, index) => this.#hearTool(call, agent, tool, index))
    this.#record(heard)
    return heard.filter(({ command }) => command.command !== blank.command)
  }

  /** Rein denied this call. */
  refuse(call: HookCall): void {
    for (const { id } of call.tools) if (id !== null) this.#session(sessionOf(call)).refused.set(id, true)
  }

  /** Rein replaced the command that the model wanted: some CLIs report the one, some the other. */
  rewrite(call: HookCall, input: Record<string, unknown>): void {
    const { shell } = this.#ports.driver(call.driver)
    for (const { id, name, input: wanted } of call.tools) {
      const [from, to] = [shell.call(name, wanted), shell.call(name, input)]
      if (from !== null && to !== null) this.#session(sessionOf(call)).rewrite(id, from.command, to.command)
    }
  }

  /** The agent's work since its last command. */
  since(call: HookCall): Work {
    return this.sinceLast(sessionOf(call))
  }

  /** The same for a conversation, or one of its sub-agents. */
  sinceLast(session: string): Work {
    return this.#sessions.get(session)?.since.work ?? { tools: [], edited: [] }
  }

  /** An entry of an agent's transcript; after a restart also of known ones. */
  read(agent: Worker, entry: ConversationEntry): void {
    const key = agent.conversation ?? agent.id
    const place = { agent, entry, key, session: this.#session(key), driver: this.#ports.driver(agent.driver) }
    const found = entry.blocks.flatMap((block) => this.#readBlock(place, block))
    const noted = place.driver.shell.noted?.(entry.raw) ?? null
    if (noted !== null) found.push(...this.#end(place, noted.id, noted.end, entry.at))
    if (entry.isInterrupt === true)
      for (const id of place.session.open.keys()) found.push(...this.#end(place, id, interrupted('')))
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
    if (wanted === null) {
      // Without an id it cannot be told apart from the same call in the transcript.
      if (tool.id !== null) session.since.note(tool)
      return []
    }
    const end = tool.id !== null && session.refused.has(tool.id) ? null : shell.heard(tool.response, call.native)
    if (end === null || wanted.command.trim() === '') return []
    const callId = tool.id ?? session.idOf(wanted.command)
    // A hook without ids that is called twice for the same command has the same time in it.
    const hash = createHash('sha256').update(`${index} ${JSON.stringify(call.raw)}`)
    const id = commandId(call.driver, callId ?? hash.digest('hex').slice(0, 24))
    const known = this.#recorded.get(id)
    if (known !== undefined) return [heardFrom(known, agent, false, true)]
    if (this.#ports.isKnown(id)) return []
    const begunKey = tool.id ?? wanted.command
    const start = session.begun.get(begunKey)
    session.begun.delete(begunKey)
    const begun = { at: start?.at ?? this.#ports.now(), cwd: start?.cwd ?? call.cwd ?? agent.cwd }
    const open = this.#open(session, callId, wanted, begun)
    open.heardAt ??= this.#ports.now()
    const about = { id, session: sessionOf(call), author: call.driver }
    const command = makeCommand(about, open, end, open.heardAt, 'hook')
    if (!this.#isKept(command, agent)) return callId === null ? [] : [passOver(command, agent)]
    const isCertain = call.subagent !== null || (callId !== null && end.outcome !== 'unknown')
    if (isCertain && callId !== null) session.open.delete(callId)
    if (!isCertain && callId === null) session.keep(open)
    return [heardFrom(command, agent, isCertain, isCertain)]
  }

  /** Takes over what is known of a call by now; otherwise it begins here. */
  #open(session: Session, id: string | null, wanted: ShellCall, place: { at: number | null; cwd: string }): Open {
    const command = id === null ? wanted.command : session.ranFor(id, wanted.command)
    const known = id === null ? undefined : (session.open.get(id) ?? session.named(command))
    const cwd = path.resolve(place.cwd, wanted.cwd ?? '')
    const isFresh = place.at !== null && this.#ports.now() - place.at < freshMs
    const open = known ?? {
      command,
      cwd,
      at: place.at,
      ...session.since.take(),
      ...(isFresh ? this.#ports.git(cwd) : { branch: null, isDirty: null }),
      heardAt: null,
    }
    if (id !== null) session.open.set(id, open)
    return open
  }

  #readBlock(place: Place, block: TurnBlock): Heard[] {
    const { agent, entry, session, driver } = place
    if (block.type === 'tool_use') {
      const { id, name, input } = block
      const wanted = driver.shell.call(name, input)
      if (wanted === null) session.since.note({ id, name, input })
      else if (wanted.command.trim() !== '' && !this.#recorded.has(commandId(driver.name, id))) {
        // A command of before a restart owns the work before it.
        if (this.#ports.isKnown(commandId(driver.name, id))) session.since.take()
        else this.#open(session, id, wanted, { at: entry.at || null, cwd: textOf(entry.raw['cwd']) ?? agent.cwd })
      }
    }
    if (block.type !== 'tool_result') return []
    const end = driver.shell.end(block, entry.raw)
    if (end === null && block.isError) {
      // A batch cannot tell a refusal by a hook from output: its report is taken back.
      const id = commandId(agent.driver, block.id)
      session.refused.set(block.id, true)
      if (this.#isKnown(id)) this.#ports.takeBack(id)
    }
    return this.#end(place, block.id, end)
  }

  /** `at`: the exact time of the end, where it is told. */
  #end({ agent, entry, key, session, driver }: Place, call: string, end: ShellEnd | null, at?: number): Heard[] {
    const open = session.open.get(call)
    session.open.delete(call)
    if (open === undefined || end === null) return []
    const id = commandId(driver.name, call)
    if (this.#isKnown(id)) return []
    const about = { id, session: key, author: driver.name }
    const command = makeCommand(about, open, end, at ?? open.heardAt ?? entry.at, 'transcript')
    return [this.#isKept(command, agent) ? heardFrom(command, agent, true, true) : passOver(command, agent)]
  }

  #isKept({ command, cwd }: Command, agent: Worker): boolean {
    return command.length <= longestCommand && this.#ports.isRemembered(command, cwd, agent.id)
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

const heardFrom = (command: Command, { id, project }: Worker, isNew: boolean, isRecorded: boolean): Heard => ({
  command,
  agent: id,
  project,
  isNew,
  isRecorded,
})

/** A command that is not to be remembered is known by its id alone, so that nothing takes it in later. */
const passOver = (command: Command, agent: Worker): Heard => heardFrom({ ...command, ...blank }, agent, true, true)

const commandId = (driver: string, call: string): string => `cmd_${driver}_${call}`

/** A sub-agent has its own session. */
export const sessionOf = ({ conversation, agent, subagent }: HookCall): string => {
  const session = conversation ?? agent ?? ''
  return subagent === null ? session : `${session}/${subagent.id}`
}

const makeCommand = (
  about: Pick<Command, 'id' | 'session' | 'author'>,
  { command, cwd, at, branch, isDirty, tools, edited }: Open,
  end: ShellEnd,
  endedAt: number,
  source: Command['source'],
): Command => ({
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
  ...about,
})
