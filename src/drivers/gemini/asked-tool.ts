import { isObject, textOf } from '../../util/ndjson.ts'
import type { AcpTool } from '../acp-permission.ts'

/**
 * Headless, Gemini tells the name of its tool in the id of the call, a command as the title, and a change of a file as the
 * whole text before and after it. Of other tools it does not tell the input.
 */
export const askedTool: AcpTool = ({ toolCallId, title, content }) => {
  const [, name] = /^(.+?)__/.exec(textOf(toolCallId) ?? '') ?? []
  if (name === undefined) return undefined
  const diff = Array.isArray(content) ? content.filter(isObject).find(({ type }) => type === 'diff') : undefined
  if (diff !== undefined) return { name, input: changeOf(diff) }
  const text = textOf(title) ?? ''
  if (name === 'run_shell_command') return { name, input: { command: text } }
  if (name === 'web_fetch') return { name, input: { prompt: text } }
  return { name, input: {} }
}

/** Both tools that change files read their own names of these. */
const changeOf = ({ path, oldText, newText }: Record<string, unknown>): Record<string, unknown> => ({
  file_path: path,
  content: newText,
  old_string: textOf(oldText) ?? '',
  new_string: newText,
})
