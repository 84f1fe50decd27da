import { textOf } from '../../base/util/json.ts'
import type { FileTools, ShellEnd, ShellTool } from '../contract.ts'
import { asObject } from '../json.ts'
import { endedWith, interrupted } from '../shell-end.ts'

/** The duration of a command is unknown: a person may have been asked. */
export const shell: ShellTool = {
  call: (name, input) =>
    name === 'bash' ? { command: textOf(input['command']) ?? '', cwd: textOf(input['workdir']) } : null,
  end: ({ text, isError }, { state }) => {
    const metadata = asObject(asObject(state)['metadata'])
    return isError ? null : endOf(text, metadata['exit'])
  },
  heard: (response) => {
    const { output, exit } = asObject(response)
    return exit === undefined ? null : endOf(textOf(output) ?? '', exit)
  },
}

const cutOff = /<shell_metadata>\n(?:User aborted the command|shell tool terminated command after)/

const endOf = (text: string, exit: unknown): ShellEnd => {
  if (typeof exit === 'number') return endedWith(exit, text === '(no output)' ? '' : text)
  return cutOff.test(text) ? interrupted(text) : endedWith(null, text)
}

export const fileTools = (): FileTools => ({ read: 'read', edit: 'edit', write: 'write', search: 'grep', find: 'glob' })
