import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { HookCall } from '../../contract/hooks.ts'
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
  { cwd, target: named, call }: z.infer<typeof ExplainInput>,
): Promise<Explanation[]> => {
  const agent = await agentFor(parts, actor, cwd, named)
  if ('last' in call) return explainLast(parts, agent, call.last)
  return [await explainOne(parts, agent ?? nobody(cwd), calledBy(agent, call))]
}

const agentFor = async (parts: Parts, actor: Actor, cwd: string, named: string | undefined): Promise<Agent | null> => {
  if (actor.kind === 'agent') return parts.supervisor.get(actor.id)
  return named === undefined ? null : parts.finder.named({ target: named, cwd })
}

const explainOne = async (parts: Parts, agent: Agent, { driver, name, input }: Called): Promise<Explanation> => {
  const call = unhooked(agent, { driver, event: 'before_tool', tools: [{ id: null, name, input }] })
  // Only rules can judge the call of an agent that does not exist.
  const asking =
    agent.id === '' ? new RuleResponders({ ...parts.ports, agent: () => agent }).responders : parts.hookCalls.responders
  const before = await explainCall(asking, call)
  const asked = await explainCall(
    parts.hookCalls.responders.filter(({ name: one }) => one === 'policy'),
    asPermission(before.call),
  )
  const opinions = byStrength([...before.opinions, ...asked.opinions])
  const first = strongest(opinions)
  const changed = before.call.tools[0]?.input
  return {
    tool: name,
    input,
    rewritten: changed === undefined || changed === input ? null : changed,
    opinions,
    decided: first?.kind ?? null,
    by: first?.by ?? null,
  }
}

/** The permission request that its CLI would make for the call. */
const asPermission = (call: HookCall): HookCall => {
  const [tool] = call.tools
  if (tool === undefined) return call
  const { name, input } = tool
  const question = { id: '', kind: 'permission' as const, tool: name, input, summary: inputSummary(input) }
  return { ...call, event: 'permission', question }
}

/** Without a tool name the tools of Claude Code stand for the usual actions of any CLI. */
const plain = (name: string, input: Record<string, unknown>): Called => ({ driver: 'claude', name, input })

const calledBy = (agent: Agent | null, call: Exclude<Wanted, { last: number }>): Called => {
  if ('command' in call) return plain('Bash', { command: call.command })
  if ('write' in call) return plain('Write', { file_path: call.write, content: call.content })
  if ('edit' in call) return plain('Edit', { file_path: call.edit, old_string: call.old, new_string: call.new })
  if ('read' in call) return plain('Read', { file_path: call.read })
  if ('fetch' in call) return plain('WebFetch', { url: call.fetch, prompt: '' })
  return { driver: agent?.driver ?? 'claude', name: call.tool, input: call.input }
}

const newestEntries = 2000

/** The oldest of them first. What is on record is shown as it was decided, whatever the rules say now. */
const explainLast = async (parts: Parts, agent: Agent | null, count: number): Promise<Explanation[]> => {
  if (agent === null) throw new ReinError('usage', 'Whose last calls?', 'Name the agent: --agent HANDLE')
  const calls = callsOf(parts, agent)
  if (calls.length === 0) throw new ReinError('not_found', `${agent.handle} has made no call that is on the log.`)
  const decisions = newestDecisions(parts, agent)
  const explained: Explanation[] = []
  // Two calls may be alike: each has the newest decision that is left.
  for (const call of calls.slice(-count).toReversed()) {
    const at = decisions.findIndex((one) => one.call === callSummary(call))
    const [decision] = at < 0 ? [] : decisions.splice(at, 1)
    explained.unshift(
      decision === undefined
        ? { ...(await explainOne(parts, agent, call)), isRecorded: false }
        : recorded(call, decision),
    )
  }
  return explained
}

const recorded = ({ name, input }: Called, { opinions, decided }: RuleDecided): Explanation => ({
  tool: name,
  input,
  rewritten: null,
  opinions: byStrength(opinions),
  decided: decided ?? strongest(opinions)?.kind ?? null,
  by: (opinions.find(({ kind }) => kind === decided) ?? strongest(opinions))?.by ?? null,
  isRecorded: true,
})

const newestDecisions = ({ log }: Parts, { id }: Agent): RuleDecided[] =>
  log
    .readNewest('rules', id, newestEntries)
    .toSorted((a, b) => b.seq - a.seq)
    .flatMap(({ type, body }) => (type === 'rule.decided' && body.event === 'before_tool' ? [body] : []))

const callsOf = ({ log }: Parts, { id, driver }: Agent): Called[] =>
  log
    .readNewest('turns', id, newestEntries)
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap(({ type, body }) => (type === 'turn.entry' ? body.blocks : []))
    .flatMap((block) => (block.type === 'tool_use' ? [{ driver, name: block.name, input: block.input }] : []))

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
  stopBlocks: 0,
  interruptedAt: null,
  createdAt: 0,
  request: null,
  until: null,
  isPaused: false,
  pauseReason: null,
  wasAtWork: false,
  crashes: [],
  health: { hooks: 'unknown', failures: 0, healed: 0 },
  model: null,
})
