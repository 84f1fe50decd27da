import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { freeName } from '../../base/util/free-name.ts'
import { parseObject } from '../../base/util/json.ts'

/** A note that an agent or a device wrote, and that no agent gets to see before a person has accepted it. */
export interface Proposal {
  name: string
  title: string
  text: string
  /** Its author. */
  by: string
  at: number
}

export const mostProposals = 20
export const longestProposal = 16 * 1024

const extension = '.json'

/** Keeps what agents propose, out of the project; one change after the other. */
export class Quarantine {
  readonly #dir: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(dir: string) {
    this.#dir = dir
  }

  /** Oldest first. */
  async list(project: string): Promise<Proposal[]> {
    const files = (await readdir(this.#of(project)).catch(() => [])).filter((name) => name.endsWith(extension))
    const found = await Promise.all(
      files.map(async (file): Promise<Proposal | null> => {
        const content = await readFile(join(this.#of(project), file), 'utf8').catch(() => '')
        const { name, title, text, by, at } = parseObject(content) ?? {}
        if (typeof name !== 'string' || typeof title !== 'string' || typeof text !== 'string') return null
        return { name, title, text, by: String(by), at: Number(at) }
      }),
    )
    return found.filter((each) => each !== null).toSorted((one, other) => one.at - other.at)
  }

  async find(project: string, name: string): Promise<Proposal> {
    const found = (await this.list(project)).find((each) => each.name === name)
    if (found !== undefined) return found
    throw new ReinError(
      'not_found',
      `No note ${name} is proposed here.`,
      'rein memory note proposed lists those that are.',
    )
  }

  /** Under a name that is free here and among the notes of the project; the same text again is the same proposal. */
  add(project: string, proposal: Proposal, notes: readonly string[]): Promise<Proposal> {
    return this.#inTurn(async () => {
      const open = await this.list(project)
      const same = open.find(({ text }) => text === proposal.text)
      if (same !== undefined) return same
      if (open.length >= mostProposals)
        throw new ReinError(
          'refused',
          `${mostProposals} proposed notes wait for a person here.`,
          'They accept or reject them with: rein memory note proposed',
        )
      const taken = new Set([...notes, ...open.map(({ name }) => name)])
      const isTaken = (name: string): boolean => taken.has(name)
      const name = isTaken(proposal.name) ? freeName(proposal.name, isTaken) : proposal.name
      const kept = { ...proposal, name }
      await mkdir(this.#of(project), { recursive: true, mode: 0o700 })
      await writeFileAtomic(this.#file(project, kept.name), JSON.stringify(kept))
      return kept
    })
  }

  /** It is gone when what is done with it has succeeded. */
  take<T>(project: string, name: string, use: (proposal: Proposal) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const proposal = await this.find(project, name)
      const result = await use(proposal)
      await rm(this.#file(project, proposal.name), { force: true })
      return result
    })
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change, change)
    this.#last = done.catch(() => undefined)
    return done
  }

  #of(project: string): string {
    return join(this.#dir, project)
  }

  #file(project: string, name: string): string {
    return join(this.#of(project), `${name}${extension}`)
  }
}
