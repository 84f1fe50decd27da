import { setTimeout as delay } from 'node:timers/promises'
import type { Projects } from '../../agents/projects/projects.ts'
import type { Remembered } from './capture/remembered.ts'
import type { Memory, Told } from './memory.ts'
import { keptOutput } from './recorded.ts'
import { type Batch, takeSpool } from './spool/spool.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'

/** The project of commands whose directory is unknown. */
const elsewhere = 'elsewhere'

/** A directory that is gone still has its commands. */
export const projectAt = async (projects: Projects, cwd: string | null): Promise<string> =>
  cwd === null ? elsewhere : projects.of(cwd).catch(() => elsewhere)

const mostTroubled = 1_000
/** A request waits no longer for commands of shells to be taken over, or to be learnt: then it is answered without them. */
const [shellsMs, learnMs] = [5_000, 250]

interface Parts {
  /** Where people's shells write. */
  dir: string
  memory: Memory
  remembered: Remembered
  projects: Projects
  onTrouble: (cause: unknown) => void
}

/** Takes over what people's shells have written. */
export class Shells {
  readonly #parts: Parts
  readonly #troubled = new BoundedMap<string, true>(mostTroubled)
  #last: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One look after the other. The file of a shell that lives is moved away at the first look, and read at the second. */
  take(): Promise<void> {
    const look = (): Promise<void> => this.#look()
    return (this.#last = this.#last.then(look, look))
  }

  /** Takes what was just typed, too. */
  async takeAll(): Promise<void> {
    await this.take()
      .then(() => this.take())
      .catch(this.#parts.onTrouble)
  }

  /** Everything that was run is known, within what a request may wait. */
  async upToDate(): Promise<void> {
    await within(shellsMs, this.takeAll())
    await this.learnt()
  }

  /** Everything that was taken over is learnt, within what a request may wait. */
  async learnt(): Promise<void> {
    await within(learnMs, this.#parts.memory.learnt())
  }

  async #look(): Promise<void> {
    const { dir, onTrouble } = this.#parts
    // A file is looked at every two seconds: once is enough to say what is wrong with it.
    const complain = (name: string, cause: unknown): void => {
      if (!this.#troubled.has(name)) onTrouble(cause)
      this.#troubled.set(name, true)
    }
    for (const batch of takeSpool(dir, complain)) await this.#takeBatch(batch).catch(onTrouble)
  }

  /** What is not to be remembered is taken, too, and thrown away. */
  async #takeBatch({ commands, done }: Batch): Promise<void> {
    const { memory, remembered, projects } = this.#parts
    const told: Told[] = []
    for (const one of commands) {
      if (!remembered.takes(one.command, one.cwd)) continue
      const output = keptOutput(one.outcome, one.output)
      const command = { ...one, output, isDirty: null, tools: [], edited: [], secrets: 0 }
      told.push({ command, project: await projectAt(projects, one.cwd), agent: null })
    }
    await memory.take(told)
    done()
  }
}

const within = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work.catch(() => undefined), delay(ms, undefined, { ref: false })])
