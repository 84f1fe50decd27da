import { realpathSync } from 'node:fs'
import { type Agent, isAlive, type LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'

type Who = Pick<Agent, 'id' | 'driver'>

/** Who is in which conversation, or about to be: of two who write to one, the CLI loses what one of them did. */
export class OpenConversations {
  readonly #agents: () => readonly Agent[]
  /** What each is just about to open. */
  readonly #opening = new Map<string, { agent: Agent; cwd: string; conversation: string | null }>()

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
  refuseOpen(who: Who, { cwd, continue: goesOn, args }: LaunchRequest, conversation: string | null): void {
    if (goesOn || args.some((arg) => continueArguments.includes(arg))) this.#refuseNewest(who, cwd)
    // Arguments for the CLI itself (`-- --resume=ID`) open a conversation, too.
    const named = [...(conversation === null ? [] : [conversation]), ...args.map((arg) => arg.replace(/^-[^=]*=/, ''))]
    const other = named.map((name) => this.otherIn(who, name)).find((agent) => agent !== null)
    if (other === undefined) return
    throw new ReinError(
      'refused',
      `${fullName(other)} has this conversation open (${other.state}).`,
      `Stop it: rein down ${fullName(other)}. Or work on a copy: rein session fork ${fullName(other)}`,
    )
  }

  /** It is this agent's, until it is released or, once it is known to run, has ended. */
  claim(agent: Agent, request: LaunchRequest, conversation: string | null): void {
    this.refuseOpen(agent, request, conversation)
    this.#opening.set(agent.id, { agent, cwd: request.cwd, conversation })
  }

  release({ id }: Agent): void {
    this.#opening.delete(id)
  }

  /** Where only the CLI knows which conversation is the newest, it may be any that is open there. */
  #refuseNewest(who: Who, cwd: string): void {
    const opening = [...this.#opening.values()].filter(
      ({ agent }) => agent.id !== who.id && agent.driver === who.driver,
    )
    const others = [...this.#othersOf(who).map((agent) => ({ agent, cwd: agent.cwd })), ...opening]
    const other = others.find((one) => realDirectory(one.cwd) === realDirectory(cwd))?.agent
    if (other === undefined) return
    throw new ReinError(
      'refused',
      `--continue takes the newest conversation of ${cwd}, and ${fullName(other)} has one of them open (${other.state}).`,
      `Stop that agent: rein down ${fullName(other)}. Or name another conversation with --resume: rein session list`,
    )
  }

  #othersOf({ id, driver }: Who): Agent[] {
    return this.#agents().filter((one) => one.id !== id && one.driver === driver && isAlive(one.state))
  }
}

/** What CLIs take for "the newest conversation of this directory". */
const continueArguments: readonly string[] = ['--continue', '--last']

/** CLIs keep conversations by the directory that a path leads to. */
const realDirectory = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
