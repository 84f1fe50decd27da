import { person } from '../../contract/outcome.ts'
import type { HookCall } from '../../contract/hooks.ts'
import { onBeat } from '../../base/util/beat.ts'
import type { Agents } from '../../agents/agents.ts'
import type { memoryRoutes } from '../../contract/routes/memory.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { Feature } from '../feature.ts'
import * as ask from './handlers.ts'
import { memoryTools } from './mcp-tools.ts'
import type { MemoryParts } from './parts.ts'

import type { ToolCaller } from '../../mcp/tool.ts'
import { compose } from './compose.ts'

const shellsMs = 2_000
const saveMs = 10 * 60 * 1000
/** So many new commands are worth a new file: a few are learnt again at the next start. */
const worthSaving = 2_000
export interface MemoryApi {
  /** A command that was denied did not run. */
  refuse: (call: HookCall) => void
  /** A command runs as somebody has rewritten it. */
  rewrite: (call: HookCall, input: Record<string, unknown>) => void
}

/** What agents and people run comes in, advice goes out. */
export const memory: Feature<'memory', typeof memoryRoutes, object, MemoryApi> = {
  name: 'memory',
  create: (base, agents) => {
    const { parts, adviser } = compose({ ...base, ...agents })
    const { memory: kept, commands, takeShells } = parts
    const onTrouble = base.troubleIn('memory')
    return {
      handlers: handlersOf(parts),
      responders: [adviser],
      watchers: [{ onEntry: (agent, entry) => commands.read(agent, entry) }],
      mcpTools: memoryTools({
        suggest: async (caller, wanted) =>
          ask.suggestToAgent(parts, agents.finder.pinned(caller.actor, { ...askingAs(agents, caller), ...wanted })),
        projectCommands: async ({ actor, cwd }, { limit }) =>
          ask.projectCommands(parts, agents.finder.pinned(actor, { cwd, limit })),
        diagnose: async ({ actor, cwd }, { command, exit, output }) => {
          const failure = { cwd, command, exit: exit ?? null, output: output ?? '' }
          return ask.diagnoseToAgent(parts, agents.finder.pinned(actor, failure))
        },
      }),
      // Before anybody tells of a command: what is in the table by now is learnt from there.
      open: () => {
        void kept.open().catch(onTrouble)
        onBeat(shellsMs, () => void takeShells().catch(onTrouble))
        onBeat(saveMs, () => {
          kept
            .trim()
            .then(() => kept.save(worthSaving))
            .catch(onTrouble)
        })
      },
      stop: () => kept.save().catch(() => undefined),
      api: {
        refuse: (call) => commands.refuse(call),
        rewrite: (call, input) => commands.rewrite(call, input),
      },
    }
  },
}

/** An agent asks in its own conversation, and gets what fits there. */
const askingAs = ({ supervisor }: Agents, { actor, cwd }: ToolCaller) => {
  const agent = actor.kind === 'agent' ? supervisor.get(actor.id) : null
  return {
    cwd,
    author: agent?.driver ?? person,
    mine: false,
    ...(agent?.conversation == null ? {} : { session: agent.conversation }),
  }
}

const handlersOf = (parts: MemoryParts): Handlers<typeof memoryRoutes> => {
  const { finder } = parts
  return {
    ingest: ({ actor, input }) => ask.ingest(parts, actor, input),
    shellSession: ({ actor, input }) => ask.shellSession(parts, actor, input),
    suggest: async ({ actor, input }) => {
      const suggest = actor.kind === 'agent' ? ask.suggestToAgent : ask.suggest
      return suggest(parts, finder.pinned(actor, input))
    },
    history: async ({ actor, input }) => ask.history(parts, finder.pinned(actor, input)),
    diagnose: async ({ actor, input }) => {
      const diagnose = actor.kind === 'agent' ? ask.diagnoseToAgent : ask.diagnose
      return diagnose(parts, finder.pinned(actor, input))
    },
    projectCommands: async ({ actor, input }) => ask.projectCommands(parts, finder.pinned(actor, input)),
    forget: ({ input }) => ask.forget(parts, input),
    memoryStats: ({ input }) => ask.stats(parts, input),
    adviceLog: ({ input }) => ask.adviceLog(parts, input),
  }
}
