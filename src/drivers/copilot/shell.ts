import { isObject, textOf } from '../../base/util/json.ts'
import type { FileTools, ShellEnd, ShellTool } from '../contract.ts'
import { asObject } from '../json.ts'
import { endedWith, inBackground } from '../shell-end.ts'

/** A failed command is a successful tool call; the end of the text has its exit code, unless the text is cut. */
export const shell: ShellTool = {
  call: (name, input) => (name === 'bash' ? { command: textOf(input['command']) ?? '', cwd: null } : null),
  end: ({ text, isError }, { data }) => {
    if (isError) return null
    const code = isObject(data) && isObject(data['shellExecution']) ? data['shellExecution']['exitCode'] : null
    return typeof code === 'number'
      ? endedWith(code, text.replace(completed, ''))
      : (inText(text) ?? endedWith(null, text))
  },
  heard: (response) => {
    const { resultType, textResultForLlm } = asObject(response)
    return resultType === 'success' ? inText(textOf(textResultForLlm) ?? '') : null
  },
}

const completed = /\n?<shellId: \S+ completed with exit code (-?\d+)>\s*$/
const goesOn = /^<command started in background with shellId: \S+>|<command with shellId: \S+ is still running/

const inText = (text: string): ShellEnd | null => {
  const code = completed.exec(text)?.[1]
  if (code !== undefined) return endedWith(Number(code), text.replace(completed, ''))
  return goesOn.test(text) ? inBackground(text) : null
}

export const fileTools = (): FileTools => ({
  read: 'view',
  edit: 'edit',
  write: 'create',
  search: 'grep',
  find: 'glob',
})
