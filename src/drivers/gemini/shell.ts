import { isObject, textOf } from '../../base/util/json.ts'
import type { FileTools, ShellEnd, ShellTool } from '../contract.ts'
import { endedWith, inBackground, interrupted } from '../shell-end.ts'

/** What the model reads is all there is: what was printed, and below it an exit code if that is not 0. */
export const shell: ShellTool = {
  call: (name, input) =>
    name === 'run_shell_command'
      ? { command: textOf(input['command']) ?? '', cwd: textOf(input['dir_path']) ?? textOf(input['directory']) }
      : null,
  end: ({ text }) => inText(text),
  heard: (response) => inText((isObject(response) ? textOf(response['llmContent']) : null) ?? ''),
}

const wrapped = /^<untrusted_context>\n([^]*)\n<\/untrusted_context>\s*$/
const cutOff =
  /^(?:Command was (?:automatically )?cancelled|\[Operation Cancelled\] Reason: (?:Operation cancelled by user|User cancelled tool execution))/
const goesOn = /^Command (?:moved to|is running in) background/
const ended = /^(?:Command: .*\n)?(?:Directory: .*\n)?(?:Output|Stdout): ([^]*)/
const note = /^(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): /

const inText = (text: string): ShellEnd | null => {
  const said = wrapped.exec(text)?.[1] ?? text
  if (cutOff.test(said)) return interrupted(said)
  if (goesOn.test(said)) return inBackground(said)
  const lines = ended.exec(said)?.[1]?.split('\n')
  if (lines === undefined) return null
  const end = lines.findLastIndex((line) => !note.test(line)) + 1
  const output = lines.slice(0, end).join('\n')
  const notes = lines.slice(end).join('\n')
  const code = /^Exit Code: (-?\d+)/m.exec(notes)?.[1]
  const signal = /^Signal: (\d+)/m.exec(notes)?.[1]
  // Shells report a signal as 128 plus its number.
  const exit = signal === undefined ? Number(code ?? 0) : 128 + Number(signal)
  return endedWith(exit, output === '(empty)' ? '' : output)
}

export const fileTools = (): FileTools => ({
  read: 'read_file',
  edit: 'replace',
  write: 'write_file',
  search: 'grep_search',
  find: 'glob',
})
