import { join } from 'node:path'
import { setImmediate as breath } from 'node:timers/promises'
import type { Agents } from '../../agents/agents.ts'
import { blankLines } from '../../agents/hosts/stream-files.ts'
import type { Base } from '../../base/base.ts'
import type { Actor } from '../../contract/identity.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Forgotten, memoryRoutes } from '../../contract/routes/memory.ts'
import type { InputOf } from '../../contract/routes/route.ts'
import type { Adviser } from './advise/adviser.ts'
import { Scrubber } from './forget/scrub.ts'
import { finderOf, type KeptPart } from './forgettable.ts'
import type { Memory } from './memory.ts'
import { keptTexts } from './store.ts'
import { redact } from '../../base/redact/redact.ts'
import type { Database } from '../../base/store/sqlite.ts'
import type { Shells } from './shells.ts'

interface Parts {
  memory: Memory
  adviser: Adviser
  shells: Shells
  forgetCopies: () => void
}

const examples = 10
const page = 1_000

/** Forgets commands, wherever Rein has kept them. */
export const forgetCommands = async (
  { reader, paths }: Base,
  { supervisor, finder }: Agents,
  { memory, adviser, shells, forgetCopies }: Parts,
  actor: Actor,
  { pattern, since, all, preview, ...here }: InputOf<typeof memoryRoutes.forget>,
): Promise<Forgotten> => {
  if (pattern === undefined && since === undefined)
    throw new ReinError('usage', 'Say what is to be forgotten: a pattern, a time, or both.')
  await shells.takeAll()
  const project = all ? null : await finder.projectAt(here)
  const found = await findForgettable(reader, { project, since: since ?? null }, pattern ?? '')
  const ofAgents = groupByAgent(found)
  if (!preview && found.length > 0) {
    adviser.dropPending()
    // Before it, so that nothing is left if this is cut off; and after it, for a copy that was being made meanwhile.
    forgetCopies()
    await memory.forget(
      found.map(({ id }) => id),
      actor,
    )
    forgetCopies()
    // A file of Rein's has what an agent without a terminal printed, as it was printed.
    for (const [agent, commands] of ofAgents) {
      const scrubber = new Scrubber(commands, (text) => redact(text).text)
      blankLines(join(paths.state, 'agents', agent), (line) => scrubber.isInLine(line))
    }
  }
  const matched = { command: 0, output: 0, cwd: 0, branch: 0, edited: 0 }
  for (const { part } of found) matched[part] += 1
  const transcripts = [...ofAgents.keys()].map((agent) => supervisor.get(agent)?.transcript ?? null)
  return {
    forgotten: found.length,
    matched,
    examples: found.slice(0, examples).map(({ command }) => command),
    beyond: [...new Set(transcripts.filter((path) => path !== null))],
  }
}

interface Forgettable {
  id: string
  agent: string | null
  command: string
  part: KeptPart
}

const groupByAgent = (found: readonly Forgettable[]): Map<string, string[]> => {
  const commands = new Map<string, string[]>()
  for (const { agent, command } of found)
    if (agent !== null) commands.set(agent, [...(commands.get(agent) ?? []), command])
  return commands
}

/** Page by page: others get their turn in between. */
const findForgettable = async (
  reader: Database,
  wanted: { project: string | null; since: number | null },
  pattern: string,
): Promise<Forgettable[]> => {
  const find = finderOf(pattern)
  const found: Forgettable[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = keptTexts(reader, { ...wanted, limit: page }, before)
    for (const row of rows) {
      const part = find(row)
      if (part !== null) found.push({ id: row.id, agent: row.agent, command: row.command, part })
    }
    if (rows.length < page) return found
    before = rows.at(-1)?.position ?? 0
    await breath()
  }
}
