import { type Agent, type AgentModel, type AgentState, isAlive } from '../../contract/agent.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { recentCrashes } from './restart.ts'

type AgentRecord = Extract<AnyRecord, { type: `agent.${string}` }>
export const isAgentRecord = (record: AnyRecord): record is AgentRecord => record.type.startsWith('agent.')

/** What an agent is after one more record: the only place where it changes. */
export const evolve = (agent: Agent | undefined, record: AgentRecord): Agent | undefined => {
  if (record.type === 'agent.created') return record.body.agent
  if (agent === undefined) return undefined
  switch (record.type) {
    case 'agent.launched': {
      const { process, launch, host, version, cwd, program, conversation, transcript, request } = record.body
      const fresh = {
        question: null,
        held: [],
        interruptedAt: null,
        stopBlocks: 0,
        evidence: null,
        until: null,
        ending: null,
      }
      return {
        ...agent,
        ...fresh,
        process,
        launch: launch ?? null,
        host,
        version,
        cwd,
        program: program ?? null,
        conversation,
        transcript,
        request,
        health: { ...agent.health, hooks: 'unknown', failures: 0 },
        // Whoever starts it by hand after it was given up gives it another chance.
        crashes: agent.state === 'crashed' ? agent.crashes : [],
        state: 'starting',
        since: record.at,
      }
    }
    case 'agent.state':
      return moved(agent, record.body, record.at)
    case 'agent.conversation':
      return conversing(agent, record.body)
    case 'agent.stop_blocked':
      return { ...agent, stopBlocks: record.body.count }
    case 'agent.held':
      return { ...agent, held: record.body.held }
    case 'agent.allowed':
      return { ...agent, allowed: record.body.allowed }
    case 'agent.ending':
      return { ...agent, ending: record.body.until === null ? null : { until: record.body.until, actor: record.actor } }
    case 'agent.interrupted':
      return { ...agent, interruptedAt: record.at }
    case 'agent.paused':
      return paused(agent, record.body, record.at)
    case 'agent.model':
      return { ...agent, model: record.body.model }
    case 'agent.health':
      return { ...agent, health: record.body.health }
    case 'agent.answered':
    case 'agent.prompted':
    case 'agent.foreign':
    case 'agent.context':
      return agent
    default:
      return record satisfies never
  }
}

/** Whether its CLI says something else of its model than before. */
export const isNewModel = ({ model: known }: Agent, { name, window }: AgentModel): boolean =>
  known?.name !== name || known.window !== window

/** Sent back to before its first prompt, it waits for another one. */
const conversing = (
  agent: Agent,
  { conversation, transcript }: { conversation: string | null; transcript: string | null },
): Agent => {
  if (conversation !== null || agent.request === null) return { ...agent, conversation, transcript }
  const { prompt: _, ...request } = agent.request
  return { ...agent, conversation, transcript, request }
}

type PausedBody = Extract<AgentRecord, { type: 'agent.paused' }>['body']
type StateBody = Extract<AgentRecord, { type: 'agent.state' }>['body']

const cutOff: readonly AgentState[] = ['crashed', 'limited', 'looping']
const atWork: readonly AgentState[] = ['working', 'awaiting_permission', 'awaiting_answer', 'limited']

/** An idle agent that is paused is shown as that; whatever else it does goes on until its turn ends. */
const moved = (agent: Agent, { state, evidence, question, until }: StateBody, at: number): Agent => {
  const shown = state === 'idle' && agent.isPaused ? 'paused' : state
  return {
    ...agent,
    state: shown,
    evidence,
    question,
    held: isAlive(state) ? agent.held : [],
    until: until ?? null,
    ending: isAlive(state) ? agent.ending : null,
    since: agent.state === shown ? agent.since : at,
    process: isAlive(state) ? agent.process : null,
    wasAtWork: cutOff.includes(state)
      ? agent.wasAtWork || atWork.includes(agent.state)
      : agent.wasAtWork && (state !== 'idle' || agent.isPaused),
    crashes: state === 'crashed' ? [...recentCrashes(agent, at), at] : agent.crashes,
  }
}

/** Whoever lets it go on has no need to be left alone with it. */
const paused = (agent: Agent, { isPaused, isCutOff, reason }: PausedBody, at: number): Agent => {
  const [from, to] = isPaused ? (['idle', 'paused'] as const) : (['paused', 'idle'] as const)
  const settled = isPaused
    ? { ...agent, isPaused, pauseReason: reason, wasAtWork: agent.wasAtWork || isCutOff }
    : { ...agent, isPaused, pauseReason: null, wasAtWork: false, interruptedAt: null }
  return agent.state === from ? { ...settled, state: to, since: at } : settled
}
