import type { Agent } from '../../contract/agent.ts'
import { seenText } from '../../contract/loop-text.ts'
import type { loopRoutes, LoopView } from '../../contract/routes/loops.ts'
import type { AnyRecord, LogRecord } from '../../contract/record.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Handlers } from '../../contract/routes/route.ts'

type LoopRecord = LogRecord<'loop.noted'> | LogRecord<'loop.asked'> | LogRecord<'loop.stopped'>

/** Where agents went in circles, and what was done about it: of one agent, or of all of the project; newest first. */
export const loopHandlers = (
  { log }: Pick<Base, 'log'>,
  { supervisor, finder }: Agents,
): Handlers<typeof loopRoutes> => ({
  loops: async ({ input: { target, limit, ...here } }) => {
    const project = await finder.projectAt(here)
    const chosen =
      target === undefined
        ? supervisor.agents.filter((one) => one.project === project)
        : [await finder.named({ target, ...here })]
    const found = chosen.flatMap((agent) =>
      log
        .readNewest('loops', agent.id, limit)
        .filter(isLoop)
        .map((record) => loopView(agent, record)),
    )
    return found.toSorted((a, b) => b.at - a.at).slice(0, limit)
  },
})

export const isLoop = (record: AnyRecord): record is LoopRecord & AnyRecord => record.topic === 'loops'

const actions = { 'loop.noted': 'noted', 'loop.asked': 'asked', 'loop.stopped': 'stopped' } as const

export const loopView = ({ handle }: Pick<Agent, 'handle'>, record: LoopRecord): LoopView => {
  const { loop, conversation, subagent } = record.body
  const isDenied = record.type === 'loop.asked' && record.body.isDenied
  const action = isDenied ? 'denied' : actions[record.type]
  return {
    at: record.at,
    agent: handle,
    subagent,
    conversation,
    ...loop,
    seen: seenText(loop),
    action,
  }
}
