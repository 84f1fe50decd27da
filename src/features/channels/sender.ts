import type { SentView } from '../../contract/routes/channels.ts'
import type { Message, Outgoing } from '../../contract/channel.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import { type Channels, checkName } from './channels.ts'
import type { FifoOutputs } from './fifo/outputs.ts'
import type { Outbox } from './outbox.ts'
import { withoutCodes } from './questions.ts'

interface SenderPorts {
  channels: Channels
  outbox: Outbox
  outputs: FifoOutputs
  find: (id: string) => Message | undefined
  agent: (id: string) => AgentRef | null
  now: () => number
  newId: (prefix: string) => string
  onSent: (outgoing: Outgoing, how: SentView['state']) => void
}

interface Sending {
  channel: string
  text: string
  replyTo?: string | undefined
  /** The same id again is the same message. */
  id?: string | undefined
}

/** Sends a message: into the outbox if the channel keeps messages, else to its FIFO if that has a reader, else it is refused. */
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
    const { channels, outbox, outputs, onSent } = this.#ports
    checkName(sending.channel)
    const outgoing = this.#outgoing(actor, sending)
    const { id, channel } = outgoing
    const isKept = channels.get(channel)?.isKept === true
    if (!isKept && !outputs.has(channel)) {
      const others =
        this.ways.length === 0 ? 'There is none to send to now.' : `You can send to: ${this.ways.join(', ')}.`
      throw new ReinError('unknown_channel', `Nothing leaves on a channel ${channel}.`, others)
    }
    if (isKept) await outbox.add(outgoing, actor)
    // Writes to the FIFO before recording: without a reader nothing was sent.
    else if (!outbox.knows(id)) {
      outputs.write(channel, outgoing.text)
      await outbox.note(outgoing, actor)
    }
    onSent(outgoing, isKept ? 'kept' : 'written')
    return { id, channel, state: isKept ? 'kept' : 'written' }
  }

  #outgoing(actor: Actor, { channel, text, replyTo, id }: Sending): Outgoing {
    const { channels, agent, find, now, newId } = this.#ports
    const from = actor.kind === 'agent' ? agent(actor.id) : null
    const answered = replyTo === undefined ? undefined : find(replyTo)
    if (replyTo !== undefined && answered?.channel !== channel)
      throw new ReinError('not_found', `There is no message ${replyTo} on ${channel}.`, 'Leave reply_to out.')
    const reply = answered === undefined ? null : { id: answered.id, sender: answered.sender, meta: answered.meta }
    const isForPerson = channels.get(channel)?.isHuman === true && from !== null
    const said = isForPerson ? `${from.handle}: ${withoutCodes(text)}` : text
    return { id: id ?? newId('out'), channel, text: said, from, at: now(), replyTo: reply }
  }
}
