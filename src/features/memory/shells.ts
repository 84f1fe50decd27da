import type { Projects } from '../../agents/projects/projects.ts'
import type { Command } from '../../contract/command.ts'
import type { Remembered } from './capture/remembered.ts'
import type { Memory, Told } from './memory.ts'
import { keptOutput } from './recorded.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { type Batch, takeSpool } from './spool/spool.ts'

/** Where commands are of which nobody knows the directory. */
const elsewhere = 'elsewhere'

/** A directory that is gone still has its commands. */
export const projectAt = async (projects: Projects, cwd: string | null): Promise<string> =>
  cwd === null ? elsewhere : projects.of(cwd).catch(() => elsewhere)

const mostTroubled = 1_000

interface ShellParts {
  /** Where people's shells write. */
  dir: string
  memory: Memory
  remembered: Remembered
  projects: Projects
  onTrouble: (cause: unknown) => void
}

/** One look at what shells have written after the other. What is not to be remembered is taken, too, and thrown away. */
export const shellTaker = (parts: ShellParts): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()
  const troubled = new BoundedMap<string, true>(mostTroubled)
  /** It is looked at every two seconds: once is enough to say so. */
  const onFile = (name: string, cause: unknown): void => {
    if (!troubled.has(name)) parts.onTrouble(cause)
    troubled.set(name, true)
  }
  const look = async (): Promise<void> => {
    for (const batch of takeSpool(parts.dir, onFile)) await takeBatch(parts, batch).catch(parts.onTrouble)
  }
  return () => (last = last.then(look, look))
}

const takeBatch = async ({ memory, remembered, projects }: ShellParts, { commands, done }: Batch): Promise<void> => {
  const told: Told[] = []
  for (const one of commands) {
    if (!remembered.takes(one.command, one.cwd)) continue
    told.push({ command: fromShell(one), project: await projectAt(projects, one.cwd), agent: null })
  }
  await memory.take(told)
  done()
}

type ShellCommand = Batch['commands'][number]

const fromShell = (one: ShellCommand): Command => ({
  ...one,
  output: keptOutput(one.outcome, one.output),
  isDirty: null,
  tools: [],
  edited: [],
  secrets: 0,
})
