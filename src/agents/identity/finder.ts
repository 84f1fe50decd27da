import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Projects } from '../projects/projects.ts'
import type { Supervisor } from '../supervisor.ts'
import { resolveAgent } from './resolve-agent.ts'

interface Ports {
  supervisor: Pick<Supervisor, 'get' | 'agents'>
  projects: Pick<Projects, 'of'>
}

/** Which agent and which project a request means, by who asks and where. */
export class AgentFinder {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** The agent a request names, seen from the directory it was made in. */
  async named({ target, cwd }: { target: string; cwd: string }): Promise<Agent> {
    const project = await this.#ports.projects.of(cwd).catch(() => null)
    return resolveAgent(this.#ports.supervisor.agents, target, project)
  }

  /** An agent that names nobody means itself; null for a person who names nobody. */
  async namedOrSelf(
    actor: Actor,
    { target, cwd }: { target?: string | undefined; cwd: string },
  ): Promise<Agent | null> {
    if (target !== undefined) return this.named({ target, cwd })
    return actor.kind === 'agent' ? this.#ports.supervisor.get(actor.id) : null
  }

  /** The agent that is named, else the one that asks. */
  async required(actor: Actor, input: { target?: string | undefined; cwd: string }): Promise<Agent> {
    const agent = await this.namedOrSelf(actor, input)
    if (agent === null) throw new ReinError('usage', 'Which agent? Its handle is missing.', 'List them: rein ps')
    return agent
  }

  /** The project that a caller means: an agent its own, a person that of the directory. */
  async project(actor: Actor, cwd: string): Promise<string> {
    if (actor.kind !== 'agent') return this.#ports.projects.of(cwd)
    const agent = this.#ports.supervisor.get(actor.id)
    if (agent === null) throw new ReinError('forbidden', 'Rein does not know this agent.')
    return agent.project
  }

  /** The agent that asks; null for a person. An agent that is not known any more is told nothing. */
  caller(actor: Actor): Agent | null {
    const agent = actor.kind === 'agent' ? this.#ports.supervisor.get(actor.id) : null
    if (actor.kind === 'agent' && agent === null)
      throw new ReinError('forbidden', `The agent ${actor.handle} is not known here.`, 'Start it anew: rein up')
    return agent
  }

  /** An agent asks about the project that it works in, and about no other. */
  pinned<T extends { cwd: string; all?: boolean }>(actor: Actor, input: T): T {
    const agent = this.caller(actor)
    if (agent === null) return input
    if (input.all === true) throw new ReinError('forbidden', 'An agent is told of its own project only.')
    return { ...input, cwd: agent.cwd }
  }
}
