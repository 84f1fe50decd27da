import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { quoted } from '../../base/util/shell.ts'
import type { FileTools, ShellEnd, ShellTool } from '../contract.ts'
import { asObject, type Json } from '../json.ts'
import { endedWith, inBackground, interrupted } from '../shell-end.ts'

/** Codex looks for so long whether a command ends at once, and counts only what comes after. */
const uncountedMs = 150

/** The tool had several names and forms; to hooks it is always `Bash`. */
export const shell: ShellTool = {
  call: (name, input) => {
    if (!names.has(name)) return null
    const { workdir, working_directory: older, cwd, cmd, command: given } = input
    const words = Array.isArray(given) ? given.map(String) : null
    const command =
      words === null
        ? (textOf(cmd) ?? textOf(given) ?? '')
        : isScript(words)
          ? (words[2] ?? '')
          : words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
    return { command, cwd: textOf(workdir) ?? textOf(older) ?? textOf(cwd) }
  },
  end: ({ text, isError }) => {
    if (isError) return null
    const result = asObject(parseObject(text))
    const { exit_code: exit, duration_seconds: seconds } = asObject(result['metadata'])
    const durationMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : null
    const inJson = endedWith(typeof exit === 'number' ? exit : null, textOf(result['output']) ?? '', durationMs)
    return inText(text) ?? inJson
  },
  // A hook is called only after what was run, and gets what that printed.
  heard: (response) => (typeof response === 'string' ? endedWith(null, response) : null),
  noted: (raw) => {
    const item = endedCommand(raw)
    if (item === null) return null
    const { secs, nanos } = asObject(item['duration'])
    const durationMs = Math.round(Number(secs ?? 0) * 1000 + Number(nanos ?? 0) / 1e6)
    return {
      id: String(item['id']),
      end: {
        ...endedWith(Number(item['exit_code']), textOf(item['aggregated_output']) ?? '', durationMs),
        uncountedMs,
      },
    }
  },
}

/** The note that a command has ended, which is written before hooks are called; its result is written after them. */
export const endedCommand = ({ type, payload }: Json): Json | null => {
  const item =
    type === 'event_msg' && isObject(payload) && payload['type'] === 'item_completed' ? payload['item'] : null
  const hasEnded = isObject(item) && item['type'] === 'CommandExecution' && typeof item['exit_code'] === 'number'
  return hasEnded ? item : null
}

const names: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'local_shell', 'Bash'])

const isScript = ([program = '', option = '', ...script]: readonly string[]): boolean =>
  /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(option) && script.length === 1

/** The same call of another command, in whichever form that was given. */
export const rewrittenCommand = (input: Json, text: string): Json => {
  const { cmd, command } = input
  if (!Array.isArray(command)) return { ...input, [typeof cmd === 'string' ? 'cmd' : 'command']: text }
  const words = command.map(String)
  return { ...input, command: [...(isScript(words) ? words.slice(0, 2) : ['bash', '-lc']), text] }
}

/** Null if there is no word of a command that was run. */
const inText = (text: string): ShellEnd | null => {
  const [head = '', ...rest] = text.split('\nOutput:\n')
  const seconds = /^Wall time: ([\d.]+) seconds/m.exec(head)?.[1]
  if (seconds === undefined) return null
  const durationMs = Math.round(Number(seconds) * 1000)
  if (/^aborted by user/m.test(head)) return interrupted('', durationMs)
  const output = rest.join('\nOutput:\n')
  if (/^Process running with session ID/m.test(head)) return inBackground(output, durationMs)
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(head)?.[1]
  return { ...endedWith(code === undefined ? null : Number(code), output, durationMs), uncountedMs }
}

/** It reads and searches with its shell. */
export const fileTools = (): FileTools => ({
  read: null,
  edit: 'apply_patch',
  write: 'apply_patch',
  search: null,
  find: null,
})
