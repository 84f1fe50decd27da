/** Finding the script in the user's own words. */
import type { Message, Received } from './received.ts'
import { findScript } from './script.ts'
import { SUMMARY } from './side.ts'

export interface Prompt {
  script: string
  /** Which time this script is prompted in the conversation, from 1. */
  occurrence: number
  /** Neither an assistant message nor a summary of the conversation has followed it yet. */
  isNew: boolean
}

/** The newest script among the user's own words; reminders and tool results are not prompts. */
export function newestPrompt(received: Received): Prompt | undefined {
  const scripts = scriptsIn(received.messages)
  const script = scripts.at(-1)
  if (script === undefined) return undefined
  const occurrence = scripts.filter((other) => other === script).length
  return { script, occurrence, isNew: scriptsIn(unanswered(received)).length > 0 }
}

/** Codex keeps the prompts before a summary, without the replies they had. */
function unanswered({ messages }: Received): readonly Message[] {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant')
  const summary = messages.findLastIndex(({ parts }) =>
    parts.some((part) => 'text' in part && part.text.includes(SUMMARY)),
  )
  return messages.slice(Math.max(reply + 1, summary))
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
