import { BoundedMap } from '../../base/util/bounded-map.ts'
import { Track } from './track.ts'

/** `open`: a person was asked. `refused`: who said no. `counted`: it did not run, and counts already. */
type Asked = 'open' | 'refused' | 'counted'

/** An agent or one of its sub-agents. */
export interface Actor {
  subagent: string | null
  track: Track
  /** Calls that have ended, by id: some hooks tell of them twice. */
  heard: BoundedMap<string, true>
  asked: BoundedMap<string, Asked>
}

const mostActors = 300
const mostCalls = 200

/** All who are watched, as far as they did something lately. */
export class Actors {
  readonly #actors = new BoundedMap<string, Actor>(mostActors)
  readonly #trees = new BoundedMap<string, string>(mostActors)

  of(agent: string, subagent: string | null): Actor {
    const key = `${agent}/${subagent ?? ''}`
    const actor = this.#actors.get(key) ?? this.#begin(agent, subagent)
    this.#actors.set(key, actor)
    return actor
  }

  /** Sub-agents work in the same files. */
  changed(agent: string, tree: string): void {
    this.#trees.set(agent, tree)
    for (const { track } of this.#allOf(agent)) track.tree(tree)
  }

  refused(agent: string): void {
    for (const { asked } of this.#allOf(agent))
      for (const [id, state] of asked) if (state === 'open') asked.set(id, 'refused')
  }

  forget(agent: string): void {
    for (const key of this.#actors.keys()) if (key.startsWith(`${agent}/`)) this.#actors.delete(key)
  }

  #allOf(agent: string): Actor[] {
    return [...this.#actors].flatMap(([key, actor]) => (key.startsWith(`${agent}/`) ? [actor] : []))
  }

  #begin(agent: string, subagent: string | null): Actor {
    const track = new Track()
    const tree = this.#trees.get(agent)
    if (tree !== undefined) track.tree(tree)
    return { subagent, track, heard: new BoundedMap(mostCalls), asked: new BoundedMap(mostCalls) }
  }
}
