import type { AgentState } from '../../contract/agent.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { stateWords } from '../../contract/state-words.ts'

export type EventTone = 'calm' | 'warn' | 'bad'

/** The states that a reader of the conversation wants to know of; the turns themselves tell the others. */
const telling: readonly AgentState[] = ['crashed', 'looping', 'limited', 'stopped']

/** What happened to the agent beside its turns, in a line; null for what a reader need not know. */
export const tellEvent = (record: AnyRecord): { tone: EventTone; text: string } | null => {
  switch (record.type) {
    case 'agent.launched':
      return { tone: 'calm', text: `started (${record.body.host}, ${record.body.version})` }
    case 'agent.state': {
      const { state, question, evidence } = record.body
      if (question !== null) return { tone: 'warn', text: `asks: ${question.summary}` }
      if (!telling.includes(state)) return null
      const why = evidence.detail === undefined ? '' : `: ${evidence.detail}`
      return { tone: state === 'stopped' ? 'calm' : 'bad', text: `${stateWords[state]}${why}` }
    }
    case 'agent.answered': {
      const { answer, by, why } = record.body
      const device = record.actor.kind === 'user' ? record.actor.via?.name : undefined
      const who = by !== 'person' ? `a ${by}: ${why}` : device === undefined ? 'a person' : `a person (${device})`
      return { tone: 'calm', text: `answered “${answer}” by ${who}` }
    }
    case 'agent.interrupted':
      return { tone: 'warn', text: 'interrupted' }
    case 'agent.paused': {
      const { isPaused, reason } = record.body
      if (!isPaused) return { tone: 'calm', text: 'unpaused' }
      return { tone: 'warn', text: reason === null ? 'paused' : `paused: ${reason}` }
    }
    case 'turn.subagent_started':
      return { tone: 'calm', text: `sub-agent started: ${record.body.description}` }
    case 'session.moved':
      return { tone: 'warn', text: 'went to another place of its session' }
    case 'session.failed':
      return { tone: 'bad', text: `stayed where it was: ${record.body.reason}` }
    default:
      return null
  }
}
