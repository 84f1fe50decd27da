import { textOf } from '../../base/util/json.ts'
import type { AcpTool } from '../acp-permission.ts'
import { asObject, listObjects } from '../json.ts'

/**
 * Headless, Gemini puts the tool's name into the id of the call, a command into the title, its directory into a text, and a
 * file change as the whole text before and after it. It shows the first hundred characters of a fetch, and of other tools no
 * input.
 */
export const askedTool: AcpTool = ({ toolCallId, title, content }) => {
  const [, name] = /^(.+?)__/.exec(textOf(toolCallId) ?? '') ?? []
  if (name === undefined) return undefined
  const parts = listObjects(content)
  const diff = parts.find(({ type }) => type === 'diff')
  if (diff !== undefined)
    // Both tools that change files read their own names of these.
    return {
      name,
      input: {
        file_path: diff.path,
        content: diff.newText,
        old_string: textOf(diff.oldText) ?? '',
        new_string: diff.newText,
      },
    }
  const text = textOf(title) ?? ''
  if (name === 'run_shell_command') {
    const [first = ''] = parts.flatMap((part) => textOf(asObject(part.content)['text']) ?? [])
    const [, directory] = /^\[(?:current working directory|in) (.+?)\]/.exec(first) ?? []
    return { name, input: { command: text, ...(directory === undefined ? {} : { dir_path: directory }) } }
  }
  if (name === 'web_fetch')
    // The part that was cut off may contain addresses.
    return { name, input: { prompt: text, ...(text.endsWith('..."') ? { isCut: true } : {}) } }
  return { name, input: {} }
}
