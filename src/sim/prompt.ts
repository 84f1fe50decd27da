/** Finding the script in the user's own words. */
import type { Message, Received } from './received.ts'
import { findScript } from './script.ts'
import { compactionSummary } from './side.ts'

interface Prompt {
  script: string
  /** Which time this script is prompted in the conversation, from 1. */
  occurrence: number
  /** Neither an assistant message nor a summary of the conversation has followed it yet. */
  isNew: boolean
}

/** The newest script among the user's own words; reminders and tool results are not prompts. */
export const newestPrompt = (received: Received): Prompt | undefined => {
  const scripts = scriptsIn(received.messages)
  const script = scripts.at(-1)
  if (script === undefined) return undefined
  const occurrence = scripts.filter((other) => other === script).length
  // Codex keeps the prompts before a summary, without their replies.
  const reply = received.messages.findLastIndex(({ role }) => role === 'assistant')
  const summary = received.messages.findLastIndex(({ parts }) =>
    parts.some((part) => 'text' in part && part.text.includes(compactionSummary)),
  )
  return { script, occurrence, isNew: scriptsIn(received.messages.slice(Math.max(reply + 1, summary))).length > 0 }
}

const scriptsIn = (messages: readonly Message[]): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts)
    .flatMap((part) => {
      if (part.type !== 'text' || contextText.test(part.text)) return []
      const own = part.text.replace(contextPiece, '')
      return findScript(own.replace(quotedLine, (_, line: string) => line.replaceAll('\\"', '"'))) ?? []
    })

/** Text in a user message that the CLI wrote, not the user: a whole part … */
const contextText =
  /^(?:<system-reminder>|<environment_context>|<session_context>|# AGENTS\.md instructions |Additional context from \w+ hook:)/
/** … or an element beside the prompt. */
const contextPiece = /<(hook_context|system_reminder)>.*?<\/\1>/gs
/** opencode quotes a prompt that was given as an argument. */
const quotedLine = /^"(.*)"$/gm
