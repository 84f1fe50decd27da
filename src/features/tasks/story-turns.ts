import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { StoryMoment, StoryTurn } from '../../contract/routes/story.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { wakeSentence } from '../../contract/wake.ts'
import type { Tally } from './story-agents.ts'
import { type Call, type ReadLine, readCall } from './story-files.ts'
import { mostCommands, mostFiles } from './story-fold.ts'
import { brief, type Moments, outcomeOf } from './story-moments.ts'

/** Calls of one turn whose result is not there yet; more than any CLI makes at once. */
const mostCalls = 200
const mostTurnFiles = 2000
const promptLimit = 200
const commandLimit = 120
const pathLimit = 200
const modelLimit = 100

interface OpenTurn {
  turn: string
  moment: StoryMoment
  did: StoryTurn
  tally: Tally
  calls: Map<string, Call>
  files: Set<string>
}

interface TurnPorts {
  moments: Moments
  /** Where an agent works, and with which CLI. */
  place(agent: string): { driver: string | null; cwd: string | null }
  readLine: ReadLine
  /** The texts of open directives. */
  told(directive: string): string | null
}

const directiveShown = /<rein-(?:directive|message) id="(?<id>[^"\n]+)"/

/** The turns of agents: prompts, commands, changed files. */
export class StoryTurns {
  readonly #ports: TurnPorts
  /** A conversation has one turn at a time. */
  readonly #open = new Map<string, OpenTurn>()

  constructor(ports: TurnPorts) {
    this.#ports = ports
  }

  hear(record: AnyRecord, tally: Tally): void {
    if (record.type === 'turn.started') this.#start(record, tally)
    if (record.type === 'turn.entry') this.#entry(record)
    if (record.type === 'turn.ended') this.#end(record)
  }

  /** A policy or a rule answered for the person. */
  allowed(agent: string): void {
    for (const { tally, did } of this.#open.values()) if (tally.agent.handle === agent) did.allowedCount += 1
  }

  /** Counts a turn that is still running up to now. */
  close(): void {
    for (const open of this.#open.values()) this.#count(open)
    this.#open.clear()
  }

  #start(record: LogRecord<'turn.started'>, tally: Tally): void {
    const { conversation, turn, prompt } = record.body
    const before = this.#open.get(conversation)
    if (before?.turn === turn) return
    if (before !== undefined) this.#finish(conversation, before, record.at)
    const did: StoryTurn = {
      files: [],
      fileCount: 0,
      commands: [],
      commandCount: 0,
      failedCount: 0,
      allowedCount: 0,
      reply: null,
      inputTokens: 0,
      cacheTokens: 0,
      outputTokens: 0,
      costUsd: null,
      model: null,
    }
    const given = { agent: tally.agent.handle, text: brief(prompt, promptLimit), turn: did, evidence: [conversation] }
    const moment = this.#ports.moments.add(record, 'turn', given)
    this.#open.set(conversation, { turn, moment, did, tally, calls: new Map(), files: new Set() })
  }

  #entry({ agent, body }: LogRecord<'turn.entry'>): void {
    const open = this.#open.get(body.conversation)
    if (open === undefined || open.turn !== body.turn) return
    for (const block of body.blocks) this.#block(open, agent ?? '', block, body.role)
  }

  #block(open: OpenTurn, agent: string, block: TurnBlock, role: string): void {
    if (block.type === 'text' && role === 'assistant') open.did.reply = brief(block.text)
    if (block.type === 'context') {
      // A turn that was begun to tell something is called what was told, not what woke the agent.
      const id = open.moment.text.includes(wakeSentence) ? directiveShown.exec(block.text)?.groups?.['id'] : undefined
      const text = id === undefined ? null : this.#ports.told(id)
      if (text !== null) open.moment.text = text
    }
    if (block.type === 'tool_use' && open.calls.size < mostCalls) {
      const { driver, cwd } = this.#ports.place(agent)
      const call = readCall(driver, cwd, block, this.#ports.readLine)
      if (call !== null) open.calls.set(block.id, call)
    }
    if (block.type === 'tool_result') result(open, block)
  }

  #end({ at, body: { conversation, turn, usage, reason } }: LogRecord<'turn.ended'>): void {
    const open = this.#open.get(conversation)
    if (open === undefined || open.turn !== turn) return
    const { did, moment } = open
    if (usage !== null) {
      did.inputTokens = usage.inputTokens
      did.cacheTokens = usage.cacheTokens ?? 0
      did.outputTokens = usage.outputTokens
      did.costUsd = usage.costUsd ?? null
      did.model = usage.model === null ? null : brief(usage.model, modelLimit)
    }
    if (reason === 'interrupted') moment.outcome = outcomeOf({ at, text: 'interrupted', tone: 'warn' })
    this.#finish(conversation, open, at)
  }

  #finish(conversation: string, open: OpenTurn, at: number): void {
    open.moment.until = Math.max(at, open.moment.at)
    this.#count(open)
    this.#open.delete(conversation)
  }

  #count({ moment, did, tally }: OpenTurn): void {
    if (!this.#ports.moments.isBefore(moment.at)) tally.ended(did)
  }
}

const result = (open: OpenTurn, block: Extract<TurnBlock, { type: 'tool_result' }>): void => {
  const call = open.calls.get(block.id)
  if (call === undefined) return
  open.calls.delete(block.id)
  const end = call.command === null ? null : call.ended(block)
  // A command that was refused was never run.
  if (call.command !== null && end === null) return
  if (call.command !== null && end !== null) {
    open.did.commandCount += 1
    if (end.outcome === 'failed') open.did.failedCount += 1
    if (open.did.commands.length < mostCommands)
      open.did.commands.push({ command: brief(call.command, commandLimit), outcome: end.outcome, exit: end.exit })
  }
  if (block.isError) return
  for (const path of call.files) {
    const file = brief(path, pathLimit)
    open.tally.changed(file)
    if (open.files.has(file) || open.files.size >= mostTurnFiles) continue
    open.files.add(file)
    open.did.fileCount = open.files.size
    if (open.did.files.length < mostFiles) open.did.files.push(file)
  }
}
