import type { HookCall } from '../../../contract/hooks.ts'
import type { RulesBacktest } from '../../../contract/outputs/rule-tools.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { readShell } from '../../../base/shell/read.ts'
import { changesFiles } from '../changes-files.ts'
import { Deeds, type ReadEntry, type Saved } from '../deeds.ts'
import { RuleMemories } from '../memory.ts'
import { plainWorld } from '../plain-world.ts'
import type { RecordedAnswer } from '../recorded/agents.ts'
import { driverOf } from '../recorded/driver.ts'
import type { RecordedStep } from '../recorded/steps.ts'
import { subjectsOf } from '../subjects.ts'
import type { Finding, RuleMemory, Subject, World } from '../types.ts'
import { RecordedConversation } from './conversation.ts'
import { type Ending, Tally } from './tally.ts'

interface BacktestPorts {
  root: string
  home: string | null
  /** What the rules of today say. */
  judge: (subjects: readonly Subject[], world: World, memory: RuleMemory) => Promise<readonly Finding[]>
  answers: readonly RecordedAnswer[]
  /** The files of a conversation as they were saved, oldest first. */
  snapshots: (conversation: string) => readonly Saved[]
}

type Step<Kind extends RecordedStep['kind']> = Extract<RecordedStep, { kind: Kind }>
type Counts = Pick<RulesBacktest, 'sessions' | 'calls' | 'prompts' | 'stops' | 'unknown' | 'rules'>

const questionKey = (agent: string, tool: string, input: object): string => `${agent} ${tool} ${JSON.stringify(input)}`

/** Plays recorded steps to the rules, in their order, and counts what these would have done. Nothing is run. */
export class Backtest {
  readonly #ports: BacktestPorts
  readonly #tally = new Tally()
  readonly #conversations = new Map<string, RecordedConversation>()
  readonly #waiting = new Map<string, ((ending: Ending) => void)[]>()
  readonly #approved: ReadonlySet<string>
  readonly #memories: RuleMemories
  /** The very same that knows it of agents at work: all of it lies in the past. */
  readonly #deeds: Deeds
  readonly #counts = { calls: 0, prompts: 0, stops: 0, unknown: 0 }
  #now = 0

  constructor(ports: BacktestPorts) {
    this.#ports = ports
    this.#memories = new RuleMemories(() => this.#now)
    const { snapshots } = ports
    this.#deeds = new Deeds({
      driver: findDriver,
      changesFiles: (command) => changesFiles(readShell(command, { cwd: null, home: null })),
      now: () => this.#now,
      since: Infinity,
      snapshots,
    })
    const allowed = ports.answers.filter(({ answer }) => answer === 'allow')
    this.#approved = new Set(allowed.map(({ agent, question }) => questionKey(agent.id, question.tool, question.input)))
  }

  async add(step: RecordedStep): Promise<void> {
    this.#now = step.at
    switch (step.kind) {
      case 'prompt':
        this.#counts.prompts += 1
        await this.#read(step, { kind: 'prompt' })
        this.#memories.beginTurn(step.conversation)
        await this.#judge(step, subjectsOf(moment('prompt', { prompt: step.text }), nothing))
        break
      case 'call':
        await this.#addCall(step)
        break
      case 'result':
        await this.#addResult(step)
        break
      case 'stop':
        this.#counts.stops += 1
        await this.#judge(step, subjectsOf(moment('stop'), nothing))
    }
  }

  report(): Counts {
    return { ...this.#counts, sessions: this.#conversations.size, rules: this.#tally.rules() }
  }

  async #addCall(step: Step<'call'>): Promise<void> {
    const { agent, id, tool, input } = step
    const driver = driverOf(agent)
    if (driver === undefined) {
      this.#counts.unknown += 1
      return
    }
    this.#counts.calls += 1
    const told = await this.#judge(
      step,
      subjectsOf(moment('before_tool', { tools: [{ id, name: tool, input }] }), driver.actions),
    )
    if (this.#approved.has(questionKey(agent.id, tool, input))) for (const tell of told) tell('approved')
    this.#waiting.set(id, told)
    this.#conversation(step).called(id, driver.actions(tool, input).actions)
    await this.#read(step, { blocks: [{ type: 'tool_use', id, name: tool, input }] })
  }

  async #addResult(step: Step<'result'>): Promise<void> {
    const { result, agent } = step
    const conversation = this.#conversation(step)
    // A shell tells it in its own way, and not always; any other tool by whether it failed.
    const told = conversation.isCommand(result.id)
      ? (driverOf(agent)?.shell.end(result, {})?.outcome ?? 'unknown')
      : 'ok'
    const outcome = result.isError ? 'failed' : told
    conversation.ended(result.id, outcome !== 'failed', agent.cwd)
    await this.#read(step, { blocks: [result] })
    if (outcome === 'ok') for (const tell of this.#waiting.get(result.id) ?? []) tell('succeeded')
    this.#waiting.delete(result.id)
  }

  async #judge(step: RecordedStep, subjects: readonly Subject[]): Promise<((ending: Ending) => void)[]> {
    const { root, home, judge } = this.#ports
    const { handle, driver, host, cwd } = step.agent
    const conversation = this.#conversation(step)
    const world = plainWorld({
      root,
      home,
      cwd,
      agent: { handle, driver, host, isSubagent: false },
      now: () => step.at,
      readFile: (file) => Promise.resolve(conversation.fileAt(file)),
      ran: () => this.#deeds.ran(step.conversation),
      hasEdited: () => this.#deeds.hasEdited(step.conversation),
    })
    const memory = this.#memories.of(step.conversation)
    const findings = await judge(subjects, world, memory)
    memory.acted(findings)
    return findings.map((finding) => this.#tally.add(finding, step.at || null, handle))
  }

  async #read({ agent, conversation, at }: RecordedStep, given: Partial<ReadEntry>): Promise<void> {
    if (driverOf(agent) === undefined) return
    await this.#deeds.read(conversation, agent.driver, { kind: 'other', at, blocks: [], raw: {}, ...given })
  }

  #conversation({ conversation }: RecordedStep): RecordedConversation {
    const known = this.#conversations.get(conversation) ?? new RecordedConversation()
    this.#conversations.set(conversation, known)
    return known
  }
}

type Moment = Parameters<typeof subjectsOf>[0]

const moment = (event: HookCall['event'], given: Partial<Moment> = {}): Moment => ({
  event,
  tools: [],
  prompt: null,
  question: null,
  ...given,
})

/** Prompts and stops are no tool's. */
const nothing = () => ({ actions: [], rewritten: () => null })
