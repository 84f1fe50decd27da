import type { z } from 'zod'
import type { Agents } from '../../agents/agents.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Command } from '../../contract/command.ts'
import { ReinError } from '../../contract/errors.ts'
import { outcomeOf } from '../../contract/outcome.ts'
import type { IngestedCommand, memoryRoutes } from '../../contract/routes/memory.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { Settings } from '../../base/config/settings.ts'
import type { Adviser } from './advise/adviser.ts'
import type { Remembered } from './capture/remembered.ts'
import type { Memory, Told } from './memory.ts'
import { keptOutput } from './recorded.ts'
import { toldId, toldSession } from './told.ts'
import { nameWithoutSecrets } from '../../base/redact/name.ts'
import { redact } from '../../base/redact/redact.ts'
import { projectAt, type Shells } from './shells.ts'

interface Parts {
  memory: Memory
  adviser: Adviser
  remembered: Remembered
  shells: Shells
}

type IngestHandlers = Pick<Handlers<typeof memoryRoutes>, 'ingest' | 'shellSession'>

/** Any program tells of commands and shells; an agent of its own project only, and in its own conversation. */
export const ingestHandlers = (
  settings: Settings,
  { finder, projects }: Agents,
  { memory, adviser, remembered, shells }: Parts,
): IngestHandlers => {
  const isFed = (agent: Agent | null): boolean => agent === null || settings['memory.feed']
  const isOwn = async (agent: Agent | null, project: string): Promise<boolean> =>
    agent === null || project === (await projectAt(projects, agent.cwd))
  /** Null if it is not this agent's to tell. */
  const tell = async (agent: Agent | null, one: Ingestible, cwd: string): Promise<Told | null> => {
    const directory = one.cwd ?? (one.source === 'import' ? null : cwd)
    const project = await projectAt(projects, directory)
    if (agent === null) return { command: ingestedCommand(one, directory, one.author), project, agent: null }
    if (!(await isOwn(agent, project))) return null
    const own = { ...one, session: conversationOf(agent) }
    return { command: ingestedCommand(own, directory, agent.driver), project, agent: agent.id }
  }
  return {
    ingest: async ({ actor, input }) => {
      const agent = finder.caller(actor)
      const { cwd, commands } = await finder.placed(input)
      const whole = commands.filter((one) => one !== null)
      const wanted = whole.filter((one) => isFed(agent) && remembered.takes(one.command, one.cwd ?? cwd))
      // What a shell has told of itself is not to come twice by its history.
      if (wanted.some(({ source }) => source === 'import')) await shells.takeAll()
      const found = await Promise.all(wanted.map((one) => tell(agent, one, cwd)))
      const told = found.filter((one) => one !== null)
      const taken = await memory.take(told)
      await shells.learnt()
      return { ...taken, refused: commands.length - told.length, kept: 0 }
    },
    shellSession: async ({ actor, input }) => {
      const agent = finder.caller(actor)
      const { cwd, event, ...given } = await finder.placed(input)
      const project = await projectAt(projects, cwd)
      if (!(await isOwn(agent, project))) throw new ReinError('forbidden', 'An agent is told of its own project only.')
      const told = agent === null ? given : { session: conversationOf(agent), author: agent.driver }
      const [session, author] = [nameWithoutSecrets(told.session), nameWithoutSecrets(told.author)]
      const isRemembered = remembered.is(cwd)
      if (isFed(agent) && isRemembered)
        await memory.noteSession({ id: session, author, cwd: redact(cwd).text, event }, project)
      const isAdvised = isRemembered && settings['memory.advise'] && settings['memory.suggest']
      return { session, project, primer: isAdvised ? adviser.primer(project) : null }
    },
  }
}

const conversationOf = ({ conversation, id }: Agent): string => conversation ?? id

type Ingestible = z.infer<typeof IngestedCommand>

const ingestedCommand = (one: Ingestible, cwd: string | null, author: string): Command => {
  const outcome = one.outcome ?? outcomeOf(one.exit)
  return {
    id: nameWithoutSecrets(one.id ?? toldId(one)),
    command: one.command,
    at: one.at,
    cwd,
    exit: one.exit,
    durationMs: one.durationMs,
    outcome,
    session: nameWithoutSecrets(one.session ?? toldSession(author, cwd)),
    author: nameWithoutSecrets(author),
    output: keptOutput(outcome, one.output),
    branch: one.branch,
    isDirty: null,
    tools: [],
    edited: [],
    source: one.source,
    secrets: 0,
  }
}
