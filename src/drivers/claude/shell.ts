import { isObject, textOf } from '../../base/util/json.ts'
import type { FileTools, ShellEnd, ShellTool } from '../contract.ts'
import { asObject, type Json } from '../json.ts'
import { endedWith, inBackground, interrupted } from '../shell-end.ts'
import { isAtLeast } from '../version.ts'

/** The text of a failed command has its exit code. The duration is unknown: a person may have been asked. */
export const shell: ShellTool = {
  call: (name, input) => (name === 'Bash' ? { command: textOf(input['command']) ?? '', cwd: null } : null),
  end: ({ text, isError }, { toolUseResult }) => (isError ? failure(text) : success(text, asObject(toolUseResult))),
  heard: (response, native) => {
    if (isObject(response))
      return success(
        [response.stdout, response.stderr].filter((part) => typeof part === 'string' && part !== '').join('\n'),
        response,
      )
    const text = textOf(response)
    if (text === null) return null
    return native === 'PostToolUseFailure' ? failure(text) : told(text)
  },
}

const success = (text: string, { interrupted: isCutOff, backgroundTaskId }: Json): ShellEnd => {
  if (backgroundTaskId !== undefined) return inBackground(text)
  return isCutOff === true ? interrupted(text) : endedWith(0, text)
}

/** Null for all other errors: these are refusals of a person, a rule or a hook. */
const failure = (text: string): ShellEnd | null => {
  const [head = '', code] = /^(?:Error: )?(?:Exit code (\d+)(?:\n|$))?/.exec(text) ?? []
  const rest = text.slice(head.length)
  if (/^Command (?:timed out|was aborted)/.test(rest)) return interrupted(rest)
  return code === undefined ? null : endedWith(Number(code), rest)
}

const refusals = /^(?:The user doesn't want to |Permission to use |<tool_use_error>)/

/** A batch gives the text alone, without a word on whether the call has failed. */
const told = (text: string): ShellEnd | null => {
  if (text.startsWith('Command running in background with ID: ')) return inBackground(text)
  return failure(text) ?? (refusals.test(text) ? null : endedWith(0, text))
}

/** From this version on the model is left to search with its shell. */
const withoutSearch = '2.1.117'

export const fileTools = (version: string): FileTools => {
  const search = isAtLeast(version, withoutSearch) ? { search: null, find: null } : { search: 'Grep', find: 'Glob' }
  return { read: 'Read', edit: 'Edit', write: 'Write', ...search }
}
