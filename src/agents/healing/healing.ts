import { join } from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { recoveryOpening } from '../../contract/wake.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import type { Deployed } from '../launch/assets.ts'

/** One that runs and calls no hook for this long will not. */
export const canaryMs = 10_000
/** The same for one of which nothing was heard at all: it may take its time to start. */
export const startMs = 30_000

export type Attempt = 'wake' | 'carry' | 'recover' | 'give_up'

/** Its hooks bring it nothing: after so many wakes without effect the next one says itself what is waiting. */
const carryAfter = 2

/** A wake like any other; then one that brings what is waiting; in the end one that explains everything; after that none. */
export const nextAttempt = (failures: number, recoveryAfter: number): Attempt => {
  if (failures >= recoveryAfter) return failures === recoveryAfter ? 'recover' : 'give_up'
  return failures < carryAfter ? 'wake' : 'carry'
}

/** How long after this record a hook must have been heard; null if it says nothing about that. */
export const canaryDelay = (agent: Agent, record: AnyNewRecord, hooksAtStart: boolean): number | null => {
  if (agent.health.hooks !== 'unknown' || !isRunning(agent)) return null
  if (record.type === 'agent.launched') return hooksAtStart ? startMs : null
  if (record.type !== 'agent.state') return null
  const { source } = record.body.evidence
  if (source !== 'stream' && source !== 'screen') return null
  return hooksAtStart || hasBegun(agent, source) ? canaryMs : null
}

/** It can call hooks: not while it waits for somebody at its start. */
export const isRunning = ({ state }: Agent): boolean => ['starting', 'idle', 'working', 'paused'].includes(state)

/** A screen that looks busy may only be loading, unless there is something to do. */
const hasBegun = ({ state, request }: Agent, source: 'stream' | 'screen'): boolean =>
  state === 'working' && (source === 'stream' || request?.prompt !== undefined)

const complaint = /\bUnknown (?:slash )?(?:command|skill):? *"?\/?(?:rein:)?rein-[\w-]*/i

/** What the CLI says when it does not know one of Rein's skills; what the model or a person writes is no evidence. */
export const missedSkill = ({ kind, text, raw }: ConversationEntry): string | null => {
  if (kind !== 'tool_result' && kind !== 'other') return null
  // A note of the CLI's own has no message.
  const said = `${text}\n${textOf(raw['content']) ?? ''}\n${unknownCommand(raw)}`
  return complaint.exec(said)?.[0] ?? null
}

/** Since 2.1.3xx Claude Code hands an unknown command to its model, with a note. */
const unknownCommand = ({ attachment }: ConversationEntry['raw']): string => {
  const isFallback = isObject(attachment) && attachment['type'] === 'unknown_command_fallback'
  return isFallback ? `Unknown command: /${textOf(attachment['commandName']) ?? ''}` : ''
}

/** Everything that an agent needs to reach Rein again, with nothing left to be looked up. */
export const recoveryText = (
  handle: string,
  rein: string,
  deployed: Deployed | null,
  /** Where its team hears of it first; null without one. */
  room: string | null,
): string => {
  const skills = deployed?.assets.filter(({ path }) => path.endsWith('SKILL.md')) ?? []
  const files = skills.map(({ path }) => `- ${join(deployed?.directory ?? '', path)}`)
  return [
    `${recoveryOpening}${handle}". What was told to you lately did not reach you: your connection to Rein may be broken.`,
    ...(files.length === 0 ? [] : ['Read these files, they say how to stay in touch:', ...files]),
    `Then run \`${rein} inbox\`, read each open directive with \`${rein} inbox read ID\`, and acknowledge it with \`${rein} ack ID\`.`,
    ...(room === null ? [] : [`At last tell your team that you are back: \`${rein} chat send ${room} 'I am back.'\`.`]),
  ].join('\n')
}
