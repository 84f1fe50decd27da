/** Finding the script in the user's own words. */
import type { Message, Received } from './received.ts'
import { newMessages } from './received.ts'
import { findScript } from './script.ts'

export interface Prompt {
  script: string
  /** Which time this script is prompted in the conversation, from 1. */
  occurrence: number
  /** No assistant message has followed it yet. */
  isNew: boolean
}

/** The newest script among the user's own words; reminders and tool results are not prompts. */
export function newestPrompt(received: Received): Prompt | undefined {
  const scripts = scriptsIn(received.messages)
  const script = scripts.at(-1)
  if (script === undefined) return undefined
  const occurrence = scripts.filter((other) => other === script).length
  return { script, occurrence, isNew: scriptsIn(newMessages(received)).length > 0 }
}

function scriptsIn(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [ownWords(part.text)] : [])))
    .flatMap((text) => findScript(text) ?? [])
}

/** What a CLI, not the user, says in a user message: a text of its own … */
const CONTEXT_TEXT =
  /^(?:<system-reminder>|<environment_context>|<session_context>|# AGENTS\.md instructions |Additional context from \w+ hook:)/
/** … or a piece beside the prompt. */
const CONTEXT_PIECE = /<(hook_context|system_reminder)>.*?<\/\1>/gs
/** opencode quotes a prompt that was given as an argument. */
const QUOTED_LINE = /^"(.*)"$/gm

function ownWords(text: string): string {
  if (CONTEXT_TEXT.test(text)) return ''
  return text.replace(CONTEXT_PIECE, '').replace(QUOTED_LINE, (_, line: string) => line.replaceAll('\\"', '"'))
}
