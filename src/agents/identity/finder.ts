import { statSync } from 'node:fs'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { Projects } from '../projects/projects.ts'
import { isNamed, resolveProject } from '../projects/resolve-project.ts'
import type { Supervisor } from '../supervisor.ts'
import { resolveAgent } from './resolve-agent.ts'

interface Ports {
  supervisor: Pick<Supervisor, 'get' | 'agents'>
  projects: Pick<Projects, 'of' | 'known' | 'placesOf'>
}

/** A request with a directory, whichever way it said where it belongs. */
export type Placed<T> = Omit<T, 'cwd' | 'project'> & { cwd: string }

const ownOnly = 'An agent is told of its own project only.'

/** Which agent and which project a request means, by who asks and where. */
export class AgentFinder {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** The agent a request names: in the project that it names, else seen from the directory that it was made in. */
  async named({ target, ...here }: Here & { target: string }): Promise<Agent> {
    const { agents } = this.#ports.supervisor
    if (here.project !== undefined) {
      const project = resolveProject(this.projects, here.project)
      const own = agents.filter((agent) => agent.project === project)
      return resolveAgent(own, target, project)
    }
    // A directory that is gone still finds an agent that is the only one of its name.
    const project = await this.projectAt(here).catch((cause: unknown) => {
      if (here.cwd === undefined) throw cause
      return null
    })
    return resolveAgent(agents, target, project)
  }

  /** An agent that names nobody means itself, in its own project; null for a person who names nobody. */
  async namedOrSelf(actor: Actor, { target, ...here }: Here & { target?: string | undefined }): Promise<Agent | null> {
    if (target !== undefined) return this.named({ target, ...here })
    const agent = this.caller(actor)
    if (agent !== null) this.#own(agent, here)
    return agent
  }

  /** The project that a request is limited to by its name; null for one that is about all. */
  namedProject({ project }: Here): string | null {
    return project === undefined ? null : resolveProject(this.projects, project)
  }

  /** The agent that is named, else the one that asks. */
  async required(actor: Actor, input: Here & { target?: string | undefined }): Promise<Agent> {
    const agent = await this.namedOrSelf(actor, input)
    if (agent === null) throw new ReinError('usage', 'Which agent? Its handle is missing.', 'List them: rein ps')
    return agent
  }

  /** The project that a caller means: an agent its own, a person the one that is named, or that of the directory. */
  async project(actor: Actor, here: Here): Promise<string> {
    if (actor.kind !== 'agent') return this.projectAt(here)
    const agent = this.#ports.supervisor.get(actor.id)
    if (agent === null) throw new ReinError('forbidden', 'Rein does not know this agent.')
    return this.#own(agent, here)
  }

  /** The project that is named, or that of the directory. */
  async projectAt({ cwd, project }: Here): Promise<string> {
    if (project !== undefined) return resolveProject(this.projects, project)
    if (cwd === undefined) throw new ReinError('usage', 'Give either cwd or project.')
    return this.#ports.projects.of(cwd)
  }

  /** All projects that are known by name. */
  get projects(): string[] {
    const { projects, supervisor } = this.#ports
    return [...new Set([...projects.known, ...supervisor.agents.map(({ project }) => project)])].toSorted()
  }

  /** The directories where a project is now; one that is nowhere else may have agents in a work tree. */
  placesOf(project: string): string[] {
    const { projects, supervisor } = this.#ports
    const places = projects.placesOf(project).filter(isDirectory)
    if (places.length > 0) return places
    const own = supervisor.agents.filter((agent) => agent.project === project).map(({ cwd }) => cwd)
    return [...new Set(own)].filter(isDirectory)
  }

  /** The request with a directory: that of the caller, or where the project is that it names. */
  async placed<T extends Here>({ cwd, project: named, ...input }: T): Promise<Placed<T>> {
    if (cwd !== undefined && named === undefined) return { ...input, cwd }
    const project = await this.projectAt({ cwd, project: named })
    for (const place of this.placesOf(project)) {
      // Another repository may have been put there.
      const found = await this.#ports.projects.of(place).catch(() => null)
      if (found === project) return { ...input, cwd: place }
    }
    throw new ReinError(
      'not_found',
      `${project} is in none of its directories any more.`,
      'In the directory where it is now: rein task list',
    )
  }

  /** The agent that asks; null for a person. An agent that is not known any more is told nothing. */
  caller(actor: Actor): Agent | null {
    const agent = actor.kind === 'agent' ? this.#ports.supervisor.get(actor.id) : null
    if (actor.kind === 'agent' && agent === null)
      throw new ReinError('forbidden', `The agent ${actor.handle} is not known here.`, 'Start it anew: rein up')
    return agent
  }

  /** An agent asks about the project that it works in, and about no other. */
  async pinned<T extends Here & { all?: boolean }>(actor: Actor, input: T): Promise<Placed<T>> {
    const agent = this.caller(actor)
    if (agent === null) return this.placed(input)
    if (input.all === true) throw new ReinError('forbidden', ownOnly)
    this.#own(agent, input)
    const { cwd: _, project: __, ...rest } = input
    return { ...rest, cwd: agent.cwd }
  }

  /** An agent that names another project is refused, not answered about its own. */
  #own(agent: Agent, { project }: Here): string {
    if (project !== undefined && !isNamed(agent.project, project)) throw new ReinError('forbidden', ownOnly)
    return agent.project
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
