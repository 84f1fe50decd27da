import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { Evidence } from '../../contract/identity.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { Driver } from '../../drivers/contract.ts'
import type { ConversationGraph } from '../../drivers/conversation.ts'
import type { AgentPorts } from '../ports.ts'
import type { CurrentAgent } from '../state/current-agent.ts'
import type { LostEnd } from '../state/lost-end.ts'
import { ConversationReader, type ReaderListener } from './conversation-reader.ts'
import { locateTranscript } from './locate-transcript.ts'

const readAgainMs = 30_000
const turnEndMs = 500
const longestWriteMs = 3000

/** The conversation that an agent is in: which one that is, and what its transcript says. */
export class AgentConversation implements ReaderListener {
  readonly #current: CurrentAgent
  readonly #lostEnd: LostEnd
  readonly #ports: AgentPorts
  #reader: ConversationReader | null = null
  #topic = ''
  /** The environment of the process, which says where its CLI writes; null if an earlier daemon started it. */
  env: NodeJS.ProcessEnv | null = null

  constructor(current: CurrentAgent, lostEnd: LostEnd, ports: AgentPorts) {
    this.#current = current
    this.#lostEnd = lostEnd
    this.#ports = ports
  }

  /** Null while no transcript is known. */
  get graph(): ConversationGraph | null {
    return this.#reader?.graph ?? null
  }

  /** Reads the transcript that the agent writes now, from its beginning. */
  follow(): void {
    this.close()
    const { agent } = this.#current
    const { conversation, transcript } = agent
    if (conversation === null || transcript === null) return
    const driver = this.#driver
    // A database holds many conversations, a file one.
    const part = driver.transcript.format.kind === 'rows' ? `#${conversation}` : ''
    this.#topic = `file:${transcript}${part}`
    const cursor = this.#ports.cursor(this.#topic)
    this.#reader = new ConversationReader(agent, conversation, transcript, driver, cursor, this)
    this.onRead()
  }

  /** The agent reports which conversation it is in; a new one is recorded and followed. */
  enter(conversation: string, transcript: string | null, evidence: Evidence): void {
    const { agent } = this.#current
    const path = transcript ?? locateTranscript(agent, this.#driver, this.env, conversation)
    if (agent.conversation === conversation && agent.transcript === path) return
    this.#current.note('agent.conversation', { conversation, transcript: path, evidence })
    if (agent.conversation !== null && agent.conversation !== conversation) this.loseContext()
    this.follow()
  }

  /** The agent has a new context: its conversation is another one, or was compacted. */
  loseContext(): void {
    const { agent } = this.#current
    for (const watcher of this.#ports.watchers) watcher.onNewContext?.(agent)
  }

  /** Turns that cannot be written are read again later, from the cursor of the log. */
  onTurns(records: AnyNewRecord[], position: number): void {
    this.#ports.append(records, [{ reader: 'turns', topic: this.#topic, position }]).catch(() => {
      setTimeout(() => {
        if (this.#reader !== null) this.follow()
      }, readAgainMs).unref()
    })
  }

  /** The state of the agent follows first, so that watchers see the agent as it is after this entry. */
  onEntry(entry: ConversationEntry): void {
    this.#current.apply({ from: 'transcript', entry }, entry.at)
    this.#lostEnd.heardEntry(entry, this.#ports.now())
    const { agent } = this.#current
    for (const watcher of this.#ports.watchers) watcher.onEntry?.(agent, entry)
  }

  onRead(): void {
    const { agent } = this.#current
    for (const watcher of this.#ports.watchers) watcher.onRead?.(agent)
    // A first turn may be over before a word of it is written.
    if (this.#hasTurnToEnd) void this.finishTurn()
  }

  /** Reads what is written by now. */
  look(): void {
    this.#reader?.look()
  }

  /** Reads what the CLI is writing now; waits at most `ms`. */
  async catchUp(ms: number): Promise<void> {
    await this.#reader?.settle(ms)
  }

  /** Waits until the CLI has stopped writing, but not for long. */
  async untilQuiet(): Promise<void> {
    await this.#reader?.untilQuiet(turnEndMs, longestWriteMs)
  }

  /** For a CLI that does not name sub-agents: a tool call that is not in the agent's conversation is from a sub-agent. */
  async attributeCall(call: HookCall, ms: number): Promise<HookCall> {
    const reader = this.#reader
    const isTool = call.event === 'before_tool' || call.event === 'after_tool'
    const id = isTool ? (call.tools[0]?.id ?? null) : null
    const { version, host } = this.#current.agent
    if (reader === null || id === null || this.#driver.capabilities(version, host).tellsSubagents) return call
    if (call.event === 'before_tool' && !reader.hasCalled(id)) await reader.settle(ms)
    return reader.hasCalled(id) ? call : { ...call, subagent: { id: '', type: '' } }
  }

  /** The CLI is still writing the end of the turn when the agent reports that it is idle. */
  async finishTurn(): Promise<void> {
    await this.catchUp(turnEndMs)
    if (this.#hasTurnToEnd) this.#reader?.endTurn('idle')
  }

  /** The process has ended, and with it the turn. */
  end(): void {
    this.#reader?.look()
    this.#reader?.endTurn('exit')
    this.close()
  }

  close(): void {
    this.#reader?.close()
    this.#reader = null
  }

  get #driver(): Driver {
    return this.#ports.driver(this.#current.agent.driver)
  }

  /** Whether an open turn began before the agent became idle; a later one is the next turn. */
  get #hasTurnToEnd(): boolean {
    const { state, since, question } = this.#current.agent
    if (state !== 'idle' && state !== 'paused' && !isLoginQuestion(question)) return false
    const openSince = this.#reader?.turnOpenSince ?? null
    return openSince !== null && openSince <= since
  }
}
