import { isObject, textOf } from '../../base/util/json.ts'
import type { AcpTool } from '../acp-permission.ts'

/**
 * Headless, Gemini tells the name of its tool in the id of the call, a command as the title, where it is run in a text, and a
 * change of a file as the whole text before and after it. Of a fetch it tells the first hundred characters, of other tools no
 * input.
 */
export const askedTool: AcpTool = ({ toolCallId, title, content }) => {
  const [, name] = /^(.+?)__/.exec(textOf(toolCallId) ?? '') ?? []
  if (name === undefined) return undefined
  const parts = Array.isArray(content) ? content.filter(isObject) : []
  const diff = parts.find(({ type }) => type === 'diff')
  if (diff !== undefined) return { name, input: changeOf(diff) }
  const text = textOf(title) ?? ''
  if (name === 'run_shell_command') return { name, input: { command: text, ...directoryIn(parts) } }
  if (name === 'web_fetch') return { name, input: { prompt: text, ...(isCut(text) ? { isCut: true } : {}) } }
  return { name, input: {} }
}

/** Addresses may stand in the rest. */
const isCut = (title: string): boolean => title.endsWith('..."')

/** Both tools that change files read their own names of these. */
const changeOf = ({ path, oldText, newText }: Record<string, unknown>): Record<string, unknown> => ({
  file_path: path,
  content: newText,
  old_string: textOf(oldText) ?? '',
  new_string: newText,
})

const directoryIn = (parts: readonly Record<string, unknown>[]): Record<string, unknown> => {
  const texts = parts.flatMap(({ content }) => (isObject(content) ? (textOf(content['text']) ?? []) : []))
  const [, directory] = /^\[(?:current working directory|in) (.+?)\]/.exec(texts[0] ?? '') ?? []
  return directory === undefined ? {} : { dir_path: directory }
}
