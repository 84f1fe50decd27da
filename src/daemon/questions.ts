import { codeOf, questionText, readAnswer } from '../channels/questions.ts'
import type { Channels } from '../channels/channels.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent, Question } from '../contract/agent.ts'
import type { Message } from '../contract/channel.ts'
import { asReinError } from '../contract/errors.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { AgentWatcher } from './agent-watcher.ts'
import { parseAnswer } from './answers.ts'

export interface QuestionPorts {
  channels: Channels
  supervisor: Supervisor
  /** Out on a channel, in Rein's own words. */
  send(channel: string, text: string, replyTo?: string): Promise<unknown>
  onTrouble(cause: unknown): void
}

interface Asked {
  agent: Agent
  question: Question
}

/** People in the loop: what an agent asks goes to its human channels, and what comes back from there answers it. */
export class Questions implements AgentWatcher {
  readonly #ports: QuestionPorts
  /** The question that each channel was told of last, for each agent. */
  readonly #told = new Map<string, string>()

  constructor(ports: QuestionPorts) {
    this.#ports = ports
  }

  onChange(agent: Agent, _: Agent | null, record: AnyNewRecord): void {
    if (record.type === 'agent.state') this.#tell(agent)
  }

  /** A channel may lead to an agent that asks something already. */
  tellAll(): void {
    for (const agent of this.#ports.supervisor.agents) this.#tell(agent)
  }

  /** True if it was meant as an answer: then it goes to no inbox. */
  async takes(message: Message): Promise<boolean> {
    const given = readAnswer(message.text)
    if (given === null || this.#ports.channels.get(message.channel)?.isHuman !== true) return false
    const asked = this.#open(message.channel).find(({ agent, question }) => codeOf(agent.id, question) === given.code)
    const said = asked === undefined ? `${given.code} is no open question.` : await this.#answer(asked, given.answer)
    await this.#say(message.channel, said, message.id)
    return true
  }

  async #answer({ agent, question }: Asked, answer: string): Promise<string> {
    try {
      await this.#ports.supervisor.answer(agent.id, parseAnswer(answer))
      return `${agent.handle} was answered: ${question.tool}.`
    } catch (cause) {
      return `${agent.handle} could not be answered: ${asReinError(cause).message}`
    }
  }

  #tell({ id, handle, question }: Agent): void {
    if (question === null) return
    for (const channel of this.#channelsOf(id)) {
      const key = `${id} ${channel}`
      if (this.#told.get(key) === question.id) continue
      this.#told.set(key, question.id)
      void this.#say(channel, questionText(handle, codeOf(id, question), question))
    }
  }

  /** What the agents ask now whose person is on this channel. */
  #open(channel: string): Asked[] {
    return this.#ports.supervisor.agents.flatMap((agent) =>
      agent.question !== null && this.#channelsOf(agent.id).includes(channel)
        ? [{ agent, question: agent.question }]
        : [],
    )
  }

  #channelsOf(agent: string): string[] {
    const { channels } = this.#ports
    return channels.all.filter((one) => one.isHuman && channels.leadsTo(one.name, agent)).map(({ name }) => name)
  }

  async #say(channel: string, text: string, replyTo?: string): Promise<void> {
    await this.#ports.send(channel, text, replyTo).catch((cause: unknown) => this.#ports.onTrouble(cause))
  }
}
