import { createHash } from 'node:crypto'
import { byRein } from '../../contract/identity.ts'
import type { Agent } from '../../contract/agent.ts'
import { type AliasKind, aliasKinds, type ProjectAlias } from '../../contract/project.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import { redact } from '../../base/redact/redact.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { chooseProject, type Found, isSameProject } from './choose-project.ts'
import { type Facts, readPlaceFacts } from './place-facts.ts'
import { allProjects, findProject, hasAlias, isEmpty, isTaken, placesOf } from './store.ts'

interface Ports {
  reader: Database
  append: (records: AnyNewRecord[]) => Promise<unknown>
  /** Agents of a Rein that kept no names: their projects are called as they were then. */
  agents: readonly Pick<Agent, 'cwd' | 'project' | 'createdAt'>[]
  now: () => number
  newId: (prefix: string) => string
  onTrouble: (cause: unknown) => void
}

const freshMs = 30_000
const mostKnown = 1_000

/** Which project a directory belongs to: the same for every clone and work tree of a repository, and for good. */
export class Projects {
  readonly #ports: Ports
  readonly #known = new BoundedMap<string, { project: Promise<string>; at: number }>(mostKnown)
  /** One decision after the other, so that two looks at once find one name. */
  #queue: Promise<unknown>

  constructor(ports: Ports) {
    this.#ports = ports
    this.#queue = this.#seed().catch(ports.onTrouble)
  }

  of(cwd: string): Promise<string> {
    const cached = this.#cached(cwd)
    if (cached !== null) return cached
    const now = this.#ports.now()
    const project = readPlaceFacts(cwd).then((facts) => this.#next(() => this.#decide(facts)))
    // Who asks while git is being asked waits for the same answer; a failure is nobody's answer.
    this.#known.set(cwd, { project, at: now })
    project.catch(() => this.#known.delete(cwd))
    return project
  }

  /** The project that a directory is known to belong to; no name is kept for one that is new. */
  async seen(cwd: string): Promise<string | null> {
    const cached = this.#cached(cwd)
    if (cached !== null) return cached
    const facts = await readPlaceFacts(cwd)
    return this.#next(() => this.#choose(facts, this.#find(facts)))
  }

  #cached(cwd: string): Promise<string> | null {
    const cached = this.#known.get(cwd)
    return cached !== undefined && this.#ports.now() - cached.at < freshMs ? cached.project : null
  }

  /** All that have a name. */
  get known(): string[] {
    return allProjects(this.#ports.reader)
  }

  /** Where a project is, or was. */
  placesOf(project: string): string[] {
    return placesOf(this.#ports.reader, project).map(({ place }) => place)
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  async #decide(facts: Facts): Promise<string> {
    const found = this.#find(facts)
    const project = (await this.#choose(facts, found)) ?? this.#freeName(facts)
    // A disk that is full keeps nobody from reading: the name is kept at the next look.
    await this.#keep(facts, found, project).catch(this.#ports.onTrouble)
    return project
  }

  async #choose(facts: Facts, found: Found): Promise<string | null> {
    const { reader } = this.#ports
    const { project, isSure } = chooseProject(facts, found, (name, kind) => hasAlias(reader, name, kind))
    if (project === null || isSure) return project
    const others = await Promise.all(
      placesOf(reader, project).map(({ place }) => readPlaceFacts(place).catch(() => null)),
    )
    return isSameProject(facts, others) ? project : null
  }

  #find(facts: Facts): Found {
    const find = (kind: AliasKind): string | null =>
      facts[kind] === null ? null : findProject(this.#ports.reader, kind, keyOf(facts[kind]))
    return { path: find('path'), remote: find('remote'), root: find('root') }
  }

  #freeName(facts: Facts): string {
    for (let number = 1; ; number += 1) {
      const name = facts.makeName(number)
      if (!isTaken(this.#ports.reader, name)) return name
    }
  }

  async #keep(facts: Facts, found: Found, project: string): Promise<void> {
    // What leads to another project stays there; only a place can become another's.
    const isMissing = (kind: AliasKind): boolean => found[kind] === null || (kind === 'path' && found.path !== project)
    const aliases = aliasesOf(facts).filter(({ kind }) => isMissing(kind))
    if (aliases.length === 0) return
    // A place that it has left is free for another project.
    const isNewPlace = aliases.some(({ kind }) => kind === 'path')
    const left = isNewPlace ? placesOf(this.#ports.reader, project).filter(({ place }) => isAbsent(place)) : []
    await this.#ports.append([
      this.#record(
        project,
        aliases,
        left.map(({ key }) => key),
      ),
    ])
  }

  /** The newest agent of a directory says what its project is called. */
  async #seed(): Promise<void> {
    const { agents, reader, append } = this.#ports
    if (agents.length === 0 || !isEmpty(reader)) return
    const taken = new Set<string>()
    const records: AnyNewRecord[] = []
    for (const { cwd, project } of newestOfEach(agents)) {
      const facts = await readPlaceFacts(cwd).catch(() => null)
      const aliases = facts === null ? [] : aliasesOf(facts).filter(({ kind, key }) => !taken.has(`${kind} ${key}`))
      for (const { kind, key } of aliases) taken.add(`${kind} ${key}`)
      if (aliases.length > 0) records.push(this.#record(project, aliases, []))
    }
    if (records.length > 0) await append(records)
  }

  #record(project: string, aliases: ProjectAlias[], gone: string[]): AnyNewRecord {
    const { newId, now } = this.#ports
    const context = { id: newId('rec'), at: now(), actor: byRein, agent: null, project }
    return newRecord('project.known', { project, aliases, gone }, context)
  }
}

const newestOfEach = (agents: Ports['agents']): Ports['agents'] => {
  const newestFirst = agents.toSorted((one, other) => other.createdAt - one.createdAt)
  return newestFirst.filter(({ cwd }, index) => newestFirst.findIndex((other) => other.cwd === cwd) === index)
}

const keyOf = (value: string): string => createHash('sha256').update(value).digest('hex')

const aliasesOf = (facts: Facts): ProjectAlias[] =>
  aliasKinds.flatMap((kind) => {
    const value = facts[kind]
    if (value === null) return []
    return [{ kind, key: keyOf(value), place: kind === 'path' ? redact(value).text : null }]
  })
