import type { SentView } from '../contract/api-types.ts'
import type { Message, Outgoing } from '../contract/channel.ts'
import { ReinError } from '../contract/errors.ts'
import type { Actor, AgentRef } from '../contract/identity.ts'
import { type Channels, checkName } from './channels.ts'
import type { FifoOutputs } from './fifo/outputs.ts'
import type { Outbox } from './outbox.ts'

export interface SenderPorts {
  channels: Channels
  outbox: Outbox
  outputs: FifoOutputs
  find: (id: string) => Message | undefined
  agent: (id: string) => AgentRef | null
  now: () => number
  newId: (prefix: string) => string
  onSent: (outgoing: Outgoing, how: SentView['state']) => void
}

export interface Sending {
  channel: string
  text: string
  replyTo?: string | undefined
}

/** What goes out: to the FIFO that waits for it, else kept if the channel is one that keeps, else refused. */
export class Sender {
  readonly #ports: SenderPorts

  constructor(ports: SenderPorts) {
    this.#ports = ports
  }

  /** Names of the channels that something can be sent to now. */
  get ways(): string[] {
    const { channels, outputs } = this.#ports
    const kept = channels.all.filter(({ isKept }) => isKept).map(({ name }) => name)
    return [...new Set([...kept, ...outputs.names()])].toSorted()
  }

  async send(actor: Actor, sending: Sending): Promise<SentView> {
    const { outputs, onSent } = this.#ports
    checkName(sending.channel)
    const outgoing = this.#outgoing(actor, sending)
    const state = outputs.has(outgoing.channel) ? 'written' : 'kept'
    if (state === 'written') outputs.write(outgoing.channel, outgoing.text)
    else await this.#keep(actor, outgoing)
    onSent(outgoing, state)
    return { id: outgoing.id, channel: outgoing.channel, state }
  }

  async #keep(actor: Actor, outgoing: Outgoing): Promise<void> {
    const { channels, outbox } = this.#ports
    if (channels.get(outgoing.channel)?.isKept === true) return void (await outbox.add(outgoing, actor))
    const others =
      this.ways.length === 0 ? 'There is none to send to now.' : `You can send to: ${this.ways.join(', ')}.`
    throw new ReinError('unknown_channel', `Nothing leaves on a channel ${outgoing.channel}.`, others)
  }

  #outgoing(actor: Actor, { channel, text, replyTo }: Sending): Outgoing {
    const { agent, find, now, newId } = this.#ports
    const from = actor.kind === 'agent' ? agent(actor.id) : null
    const answered = replyTo === undefined ? undefined : find(replyTo)
    if (replyTo !== undefined && answered?.channel !== channel)
      throw new ReinError('not_found', `There is no message ${replyTo} on ${channel}.`, 'Leave reply_to out.')
    const reply = answered === undefined ? null : { id: answered.id, sender: answered.sender, meta: answered.meta }
    return { id: newId('out'), channel, text, from, at: now(), replyTo: reply }
  }
}
