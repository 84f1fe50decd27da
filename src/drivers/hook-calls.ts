import { createHash } from 'node:crypto'
import { type ContextPart, contextSeparator, type HookCall, type HookEvent } from '../contract/hooks.ts'
import type { Json } from './json.ts'

/** Rein's name for a CLI's hook event. */
export const findEvent = (events: Readonly<Record<string, HookEvent>>, native: string): HookEvent =>
  Object.hasOwn(events, native) ? (events[native] ?? 'other') : 'other'

/** An id for a question that the CLI gave none: two questions differ by what they ask about. */
export const hashQuestion = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export const joinContext = (parts: readonly ContextPart[]): string =>
  parts.map(({ text }) => text).join(contextSeparator)

/** The part of a hook's answer that belongs to its event, in the form that most CLIs share. */
export const hookOutput = (call: HookCall, fields: Json): Json => ({
  hookSpecificOutput: { hookEventName: call.native, ...fields },
})
