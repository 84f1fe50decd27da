import { setTimeout as delay } from 'node:timers/promises'
import { contextSeparator, type HookCall, type HookEvent, type Responder } from '../../contract/hooks.ts'
import { wakeSentence } from '../../contract/wake.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { notesText } from './excerpt.ts'
import type { Library } from './library.ts'
import { tellingLines } from './telling.ts'
import { tokensOf } from './tokens.ts'

/** A command that an agent ran and that failed. */
export interface Failure {
  command: string
  output: string
}

/** The notes told to an agent, at a prompt or after a failure. */
export interface ToldNotes {
  /** The conversation, or that of a sub-agent. */
  conversation: string
  notes: string[]
  moment: 'prompt' | 'failure'
}

export interface NotePorts {
  library: Pick<Library, 'at'>
  /** The start directory of an agent; null for an unknown one. */
  cwd: (agent: string) => string | null
  /** Whether what is said now reaches its model. */
  canHear: (agent: string, moment: ToldNotes['moment']) => boolean
  failures: (call: HookCall) => Promise<Failure[]>
  /** The notes that an earlier daemon told it. */
  toldBefore: (agent: string) => ToldNotes[]
  record: (agent: string, told: ToldNotes) => void
}

export const mostTold = 3
const mostConversations = 500
/** Longer than this no agent waits for files to be read: the next time they are in memory. */
const patienceMs = 80
const moments: Partial<Record<HookEvent, ToldNotes['moment']>> = {
  prompt: 'prompt',
  after_tool: 'failure',
  after_batch: 'failure',
}
/** The context is emptied; some CLIs say so before, some after it. */
const emptying: readonly HookEvent[] = ['before_compact', 'after_compact']
const emptied = ['clear', 'compact']

/** Tells an agent what the project knows about what it was asked, or what has just failed: each note once in a conversation. */
export const noteResponder = (ports: NotePorts): Responder => {
  const told = new BoundedMap<string, Set<string>>(mostConversations)
  const toldIn = (agent: string, conversation: string): Set<string> => {
    const known =
      told.get(conversation) ??
      new Set(ports.toldBefore(agent).flatMap((each) => (each.conversation === conversation ? each.notes : [])))
    told.set(conversation, known)
    return known
  }
  return {
    name: 'notes',
    events: ['session_start', ...emptying, ...(Object.keys(moments) as HookEvent[])],
    deadlineMs: 3 * patienceMs,
    respond: async (call, room) => {
      const cwd = call.agent === null ? null : ports.cwd(call.agent)
      if (call.agent === null || cwd === null) return {}
      const { event, source, subagent } = call
      // A sub-agent has a context of its own.
      const conversation = [call.conversation ?? call.agent, ...(subagent === null ? [] : [subagent.id])].join('/')
      const isEmptied = emptying.includes(event) || (event === 'session_start' && emptied.includes(source ?? ''))
      if (isEmptied) told.set(conversation, new Set())
      // In memory by the first prompt.
      if (call.event === 'session_start') void ports.library.at(cwd).catch(() => undefined)
      const question = await findQuestion(ports, call)
      if (question === null) return {}
      const reading = ports.library.at(cwd).catch(() => null)
      const shelf = await Promise.race([reading, delay(patienceMs, null, { ref: false })])
      if (shelf === null) return {}
      const known = toldIn(call.agent, conversation)
      const fitting = shelf.ranking.fitting(tokensOf(question.text), mostTold).map(({ note }) => note)
      const said = notesText(
        fitting.filter(({ name }) => !known.has(name)),
        room - contextSeparator.length,
      )
      if (said.told.length === 0) return {}
      const notes = said.told.map(({ name }) => name)
      for (const name of notes) known.add(name)
      ports.record(call.agent, { conversation, moment: question.moment, notes })
      return { context: [{ from: 'notes', text: said.text }] }
    },
  }
}

interface Question {
  text: string
  moment: ToldNotes['moment']
}

const findQuestion = async (ports: NotePorts, call: HookCall): Promise<Question | null> => {
  const moment = moments[call.event]
  if (moment === undefined || !ports.canHear(call.agent ?? '', moment)) return null
  if (moment === 'prompt') {
    const text = call.prompt ?? ''
    // Text that Rein put into the prompt is not a question of the user.
    const isOwn = text.includes(wakeSentence) || /<rein-(?:directive|message) /.test(text)
    return isOwn ? null : { text, moment }
  }
  const failed = await ports.failures(call)
  const text = failed.map(({ command, output }) => `${command}\n${tellingLines(output)}`).join('\n')
  return failed.length === 0 ? null : { text, moment }
}
