import { deriveId } from '../../base/util/derived-id.ts'
import { type Asking, codeOf, howToAnswer, isAnswerable, questionText, readAnswer } from './questions.ts'
import type { Channels } from './channels.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { type Agent, openQuestion } from '../../contract/agent.ts'
import type { Message } from '../../contract/channel.ts'
import { asReinError } from '../../contract/errors.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { onBeat } from '../../base/util/beat.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { parseAnswer } from '../../agents/questions/parse-answer.ts'

interface QuestionPorts {
  channels: Channels
  supervisor: Supervisor
  /** The secret that codes are derived from. */
  secret: string
  /** Out on a channel, in Rein's own words; the same id again is the same message. */
  send(message: { channel: string; text: string; replyTo?: string; id?: string }): Promise<unknown>
  onTrouble(cause: unknown): void
}

const tryAgainMs = 10_000

/** People in the loop: what an agent asks goes to its human channels, and what comes back from there answers it. */
export class Questions implements AgentWatcher {
  readonly #ports: QuestionPorts
  /** The code that each channel was told last, for each agent. */
  readonly #told = new Map<string, string>()
  #stop: () => void = () => undefined

  constructor(ports: QuestionPorts) {
    this.#ports = ports
  }

  /** A question that could not be sent is tried again; one that an earlier daemon could not send, too. */
  start(): void {
    this.tellAll()
    this.#stop = onBeat(tryAgainMs, () => this.tellAll())
  }

  stop(): void {
    this.#stop()
  }

  onChange(agent: Agent, _: Agent | null, record: AnyNewRecord): void {
    if (record.type === 'agent.state' || record.type === 'agent.held') this.#tell(agent)
  }

  /** A channel may lead to an agent that asks something already. */
  tellAll(): void {
    for (const agent of this.#ports.supervisor.agents) this.#tell(agent)
  }

  /** Whether a message is an answer, which goes to no inbox. Only listed senders of a human channel may answer. */
  isAnswer({ channel, text, sender }: Message): boolean {
    const known = this.#ports.channels.get(channel)
    const isKnownSender = sender !== null && known?.senders?.includes(sender) === true
    return known?.isHuman === true && isKnownSender && readAnswer(text) !== null
  }

  async answer(message: Message): Promise<void> {
    const { code = '', answer = '' } = readAnswer(message.text) ?? {}
    const asked = this.#open(message.channel).find((one) => this.#codeOf(one) === code && isAnswerable(one.question))
    const said = asked === undefined ? `${code} is no open question.` : await this.#answer(asked, answer, message)
    await this.#say({ channel: message.channel, text: said, replyTo: message.id })
  }

  async #answer({ agent, question }: Asking, answer: string, { channel, sender }: Message): Promise<string> {
    if (answer === '') return howToAnswer(this.#codeOf({ agent, question }), question.kind)
    const why = `${sender ?? 'somebody'} on channel ${channel}`
    const actor = { kind: 'channel' as const, name: channel, sender }
    try {
      const { questions } = this.#ports.supervisor.agent(agent.id)
      await questions.answer(parseAnswer(answer, question.kind), { actor, by: 'person', why })
      return `${agent.handle} was answered: ${question.tool}.`
    } catch (cause) {
      return `${agent.handle} could not be answered: ${asReinError(cause).message}`
    }
  }

  #tell(agent: Agent): void {
    const { id } = agent
    const question = openQuestion(agent)
    if (question === null) return
    const code = this.#codeOf({ agent, question })
    for (const channel of this.#channelsOf(id)) {
      const key = `${id} ${channel}`
      if (this.#told.get(key) === code) continue
      this.#told.set(key, code)
      const text = questionText(code, { agent, question })
      void this.#tellOnce(key, code, { channel, text, id: deriveId('out', `${key} ${code}`) })
    }
  }

  /** Questions that could not be sent are retried at the next look. */
  async #tellOnce(key: string, code: string, message: Parameters<QuestionPorts['send']>[0]): Promise<void> {
    const isSaid = await this.#say(message)
    if (!isSaid && this.#told.get(key) === code) this.#told.delete(key)
  }

  #codeOf(asking: Asking): string {
    return codeOf(this.#ports.secret, asking)
  }

  /** The open questions of the agents whose person is on this channel. */
  #open(channel: string): Asking[] {
    return this.#ports.supervisor.agents.flatMap((agent) => {
      const question = openQuestion(agent)
      return question !== null && this.#channelsOf(agent.id).includes(channel) ? [{ agent, question }] : []
    })
  }

  /** Where nobody may write, nobody can answer. */
  #channelsOf(agent: string): string[] {
    const { channels } = this.#ports
    const answering = channels.all.filter(({ isHuman, senders }) => isHuman && senders?.length !== 0)
    return answering.filter(({ name }) => channels.leadsTo(name, agent)).map(({ name }) => name)
  }

  #say(message: Parameters<QuestionPorts['send']>[0]): Promise<boolean> {
    return this.#ports.send(message).then(
      () => true,
      (cause: unknown) => {
        this.#ports.onTrouble(cause)
        return false
      },
    )
  }
}
