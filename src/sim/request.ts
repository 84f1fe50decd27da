/** Reading a Messages request: what the model received, and what sort of request it is. */
import { z } from 'zod'
import { findScript } from './script.ts'

const Block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() })
const Content = z.union([z.string(), z.array(Block)])
const Message = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content })

export const MessagesBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: Content.optional(),
  messages: z.array(Message),
  tools: z.array(z.unknown()).optional(),
  metadata: z.looseObject({ user_id: z.string().optional() }).optional(),
})

export type MessagesBody = z.infer<typeof MessagesBody>
type Message = z.infer<typeof Message>

export interface Prompt {
  script: string
  /** Which time this script is prompted in the conversation, from 1. */
  occurrence: number
  /** No assistant message has followed it yet. */
  isNew: boolean
}

export type Purpose = 'main' | 'compaction' | 'side'

const COMPACTION = /^Your task is to create a detailed summary of /m

/** A request without tools is a side query of the CLI (title, command prefix, hook judgement). */
export function purposeOf(body: MessagesBody): Purpose {
  if (
    newMessages(body)
      .flatMap(userTexts)
      .some((text) => COMPACTION.test(text))
  )
    return 'compaction'
  return (body.tools ?? []).length > 0 ? 'main' : 'side'
}

export function systemText(body: MessagesBody): string {
  return textOf(body.system ?? '')
}

export function allText(body: MessagesBody): string {
  return body.messages.map((message) => textOf(message.content)).join('\n')
}

/** Only what came after the last assistant message. */
export function newText(body: MessagesBody): string {
  return newMessages(body)
    .map((message) => textOf(message.content))
    .join('\n')
}

/** The newest script among the user's own words; reminders and tool results are not prompts. */
export function newestPrompt(body: MessagesBody): Prompt | undefined {
  const scripts = scriptsIn(body.messages)
  const script = scripts.at(-1)
  if (script === undefined) return undefined
  const occurrence = scripts.filter((other) => other === script).length
  return { script, occurrence, isNew: scriptsIn(newMessages(body)).length > 0 }
}

function scriptsIn(messages: Message[]): string[] {
  return messages.flatMap(userTexts).flatMap((text) => findScript(text) ?? [])
}

function newMessages(body: MessagesBody): Message[] {
  return body.messages.slice(body.messages.findLastIndex((message) => message.role === 'assistant') + 1)
}

function userTexts({ role, content }: Message): string[] {
  if (role !== 'user') return []
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.flatMap(({ type, text = '' }) =>
    type === 'text' && !text.startsWith('<system-reminder>') ? [text] : [],
  )
}

function textOf(content: unknown): string {
  const parsed = Content.safeParse(content)
  if (!parsed.success) return ''
  if (typeof parsed.data === 'string') return parsed.data
  return parsed.data.map((block) => block.text ?? textOf(block.content)).join('\n')
}
