import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { RuleDecided } from '../../contract/opinion.ts'
import type { ExplainedCall, ExplainInput, Explanation } from '../../contract/routes/rules.ts'
import { callSummary, inputSummary } from '../../contract/tool-input.ts'
import { byStrength, strongest } from '../../agents/hooks/weigh-opinions.ts'
import { explainCall } from '../../agents/hooks/pipeline.ts'
import { unhooked } from '../../agents/hook-calls.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import { type RulePorts, RuleResponders } from './responder.ts'

type Wanted = z.infer<typeof ExplainedCall>

interface Parts extends Base, Agents {
  ports: RulePorts
}

interface Called {
  driver: string
  name: string
  input: Record<string, unknown>
}

/** The opinions of all deciders about a call, without any effect. An agent may ask only about its own calls. */
export const explain = async (
  parts: Parts,
  actor: Actor,
  { target: named, call, ...here }: z.infer<typeof ExplainInput>,
): Promise<Explanation[]> => {
  const { finder } = parts
  const target = actor.kind === 'agent' ? undefined : named
  const agent = await finder.namedOrSelf(actor, { target, ...here })
  if ('last' in call) return explainLast(parts, agent, call.last)
  return [
    await explainOne(
      parts,
      agent ?? nobody((await finder.placed(here)).cwd),
      toCalled(agent?.driver ?? 'claude', call),
    ),
  ]
}

const explainOne = async (parts: Parts, agent: Agent, { driver, name, input }: Called): Promise<Explanation> => {
  const call = unhooked(agent, { driver, event: 'before_tool', tools: [{ id: null, name, input }] })
  // Only rules can judge the call of an agent that does not exist.
  const asking =
    agent.id === '' ? new RuleResponders({ ...parts.ports, agent: () => agent }).responders : parts.hookCalls.responders
  const before = await explainCall(asking, call)
  const [tool] = before.call.tools
  const asked = await explainCall(
    parts.hookCalls.responders.filter(({ name: one }) => one === 'policy'),
    // The permission request that its CLI would make for the call.
    tool === undefined
      ? before.call
      : {
          ...before.call,
          event: 'permission',
          question: {
            id: '',
            kind: 'permission',
            tool: tool.name,
            input: tool.input,
            summary: inputSummary(tool.input),
          },
        },
  )
  const opinions = byStrength([...before.opinions, ...asked.opinions])
  const first = strongest(opinions)
  const changed = tool?.input
  return {
    tool: name,
    input,
    rewritten: changed === undefined || changed === input ? null : changed,
    opinions,
    decided: first?.kind ?? null,
    by: first?.by ?? null,
  }
}

/** Without a tool name the tools of Claude Code stand for the usual actions of any CLI. */
const plain = (name: string, input: Record<string, unknown>): Called => ({ driver: 'claude', name, input })

const toCalled = (driver: string, call: Exclude<Wanted, { last: number }>): Called => {
  if ('command' in call) return plain('Bash', { command: call.command })
  if ('write' in call) return plain('Write', { file_path: call.write, content: call.content })
  if ('edit' in call) return plain('Edit', { file_path: call.edit, old_string: call.old, new_string: call.new })
  if ('read' in call) return plain('Read', { file_path: call.read })
  if ('fetch' in call) return plain('WebFetch', { url: call.fetch, prompt: '' })
  return { driver, name: call.tool, input: call.input }
}

const newestEntries = 2000

/** The oldest of them first. What is on record is shown as it was decided, whatever the rules say now. */
const explainLast = async (parts: Parts, agent: Agent | null, count: number): Promise<Explanation[]> => {
  if (agent === null)
    throw new ReinError(
      'usage',
      'Whose last calls?',
      'Name the agent, as in: rein rules explain --agent worker-1 --last 3',
    )
  const calls = parts.log
    .readNewest('turns', agent.id, newestEntries)
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ type, body }) => (type === 'turn.entry' ? body.blocks : []))
    .flatMap((block) =>
      block.type === 'tool_use' ? [{ driver: agent.driver, name: block.name, input: block.input }] : [],
    )
  if (calls.length === 0) throw new ReinError('not_found', `${agent.handle} has made no call that is on the log.`)
  const decisions = parts.log
    .readNewest('rules', agent.id, newestEntries)
    .toSorted((a, b) => b.seq - a.seq)
    .flatMap(({ type, body }) => (type === 'rule.decided' && body.event === 'before_tool' ? [body] : []))
  const explained: Explanation[] = []
  // Two calls may be alike: each has the newest decision that is left.
  for (const call of calls.slice(-count).toReversed()) {
    const at = decisions.findIndex((one) => one.call === callSummary(call))
    const [decision] = at < 0 ? [] : decisions.splice(at, 1)
    explained.unshift(
      decision === undefined
        ? { ...(await explainOne(parts, agent, call)), isRecorded: false }
        : describeRecorded(call, decision),
    )
  }
  return explained
}

const describeRecorded = ({ name, input }: Called, { opinions, decided }: RuleDecided): Explanation => ({
  tool: name,
  input,
  rewritten: null,
  opinions: byStrength(opinions),
  decided: decided ?? strongest(opinions)?.kind ?? null,
  by: (opinions.find(({ kind }) => kind === decided) ?? strongest(opinions))?.by ?? null,
  isRecorded: true,
})

/** Whose calls are explained where no agent is named: one that does as every CLI can. */
const nobody = (cwd: string): Agent => ({
  id: '',
  project: '',
  handle: '',
  driver: 'claude',
  version: '',
  host: 'outside',
  cwd,
  state: 'stopped',
  since: 0,
  evidence: null,
  process: null,
  launch: null,
  program: null,
  conversation: null,
  transcript: null,
  question: null,
  held: [],
  allowed: [],
  stopBlocks: 0,
  interruptedAt: null,
  createdAt: 0,
  request: null,
  until: null,
  isPaused: false,
  pauseReason: null,
  wasAtWork: false,
  ending: null,
  crashes: [],
  health: { hooks: 'unknown', failures: 0, healed: 0 },
  model: null,
})
