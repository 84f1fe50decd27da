import { type Agent, isAlive, type LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'

type Who = Pick<Agent, 'id' | 'driver'>

/** Who is in which conversation, or about to be: of two who write to one, the CLI loses what one of them did. */
export class OpenConversations {
  readonly #agents: () => readonly Agent[]
  /** What each is just about to open. */
  readonly #opening = new Map<string, { agent: Agent; conversation: string }>()

  constructor(agents: () => readonly Agent[]) {
    this.#agents = agents
  }

  /** Who else has it open. */
  otherIn(who: Who, conversation: string): Agent | null {
    const running = this.#othersOf(who).find((one) => one.conversation === conversation)
    const isOther = ({ id, driver }: Agent): boolean => id !== who.id && driver === who.driver
    const opening = [...this.#opening.values()].find((one) => one.conversation === conversation && isOther(one.agent))
    return running ?? opening?.agent ?? null
  }

  /** `conversation` is the one that the request leads to; null where that is a new one, or one that the CLI chooses. */
  refuseOpen(who: Who, { cwd, continue: goesOn }: LaunchRequest, conversation: string | null): void {
    if (goesOn) this.#refuseNewest(who, cwd)
    const other = conversation === null ? null : this.otherIn(who, conversation)
    if (other !== null) throw isOpen(other)
  }

  /** It is this agent's, until it is released or, once it is known to run, has ended. */
  claim(agent: Agent, request: LaunchRequest, conversation: string | null): void {
    this.refuseOpen(agent, request, conversation)
    if (conversation !== null) this.#opening.set(agent.id, { agent, conversation })
  }

  release({ id }: Agent): void {
    this.#opening.delete(id)
  }

  /** Where only the CLI knows which conversation is the newest, it may be any that is open there. */
  #refuseNewest(who: Who, cwd: string): void {
    const other = this.#othersOf(who).find((one) => one.cwd === cwd && one.conversation !== null)
    if (other === undefined) return
    throw new ReinError(
      'refused',
      `Which conversation of ${cwd} is the newest one only its CLI knows, and ${fullName(other)} is in one of them (${other.state}).`,
      `Name the conversation: --resume ID. Or end that agent: rein down ${fullName(other)}`,
    )
  }

  #othersOf({ id, driver }: Who): Agent[] {
    return this.#agents().filter((one) => one.id !== id && one.driver === driver && isAlive(one.state))
  }
}

const isOpen = (agent: Agent): ReinError =>
  new ReinError(
    'refused',
    `${fullName(agent)} has this conversation open (${agent.state}).`,
    `End it: rein down ${fullName(agent)}. Or go on beside it: rein session fork ${fullName(agent)}`,
  )
