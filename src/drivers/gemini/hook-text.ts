import type { ContextPart } from '../../contract/hooks.ts'
import { joinContext } from '../hook-calls.ts'

/** Begins what Rein gives at a stop: the CLI makes it a prompt, and calls the hook of a prompt for it. */
const goOnLead = 'Rein has something before you stop:'

export const formatGoOn = (parts: readonly ContextPart[]): string => `${goOnLead}\n${joinContext(parts)}`

export const isGoOn = (prompt: string): boolean => prompt.startsWith(`${goOnLead}\n`)

/** The CLI writes `<` and `>` of context as `&lt;` and `&gt;`: text that already had these is escaped once more. */
export const contextText = (parts: readonly ContextPart[]): string =>
  joinContext(parts).replaceAll(/&((?:amp;)*[lg]t;)/g, '&amp;$1')

/** The context as it was given. */
const plainContext = (written: string): string =>
  written.replaceAll(/&(amp;)?((?:amp;)*)([lg])t;/g, (_, escape: string | undefined, more: string, which: string) => {
    if (escape !== undefined) return `&${more}${which}t;`
    return which === 'l' ? '<' : '>'
  })

/** Text that is context from its first character to its last; within it no angle bracket can stand. */
const wholeContext = /^<hook_context>([^<>]*)<\/hook_context>$/
const contextAtEnd = /\n\n<hook_context>([^<>]*)<\/hook_context>$/

export const contextIn = (text: string): string | null => {
  const [, context] = wholeContext.exec(text) ?? []
  return context === undefined ? null : plainContext(context)
}

/** A tool's output, and the context that the CLI appended to it. */
export const splitOutput = (output: string): { output: string; context: string | null } => {
  const found = contextAtEnd.exec(output)
  if (found === null) return { output, context: null }
  return { output: output.slice(0, found.index), context: plainContext(found[1] ?? '') }
}
