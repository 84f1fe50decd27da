import { changedFiles } from '../../../contract/tool-input.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'

/** The other tools that an agent used since its last command, and the files it changed, oldest first. */
export interface Work {
  tools: string[]
  edited: string[]
}

interface UsedTool {
  id: string | null
  name: string
  input: Record<string, unknown>
}

const most = 50
const mostKnown = 500

/** An agent's work since its last command; hooks and its transcript report the same calls. */
export class Since {
  readonly #known = new BoundedMap<string, true>(mostKnown)
  #tools: string[] = []
  readonly #edited = new BoundedMap<string, true>(most)

  note({ id, name, input }: UsedTool): void {
    if (id !== null && this.#known.has(id)) return
    if (id !== null) this.#known.set(id, true)
    this.#tools = [...this.#tools, name].slice(-most)
    for (const file of changedFiles(name, input)) this.#edited.set(file, true)
  }

  get work(): Work {
    return { tools: this.#tools, edited: [...this.#edited.keys()] }
  }

  /** A command runs: the work so far belongs to it. */
  take(): Work {
    const { work } = this
    this.#tools = []
    this.#edited.clear()
    return work
  }
}
