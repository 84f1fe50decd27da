import { ReinError } from '../../../contract/errors.ts'
import { isObject, textOf } from '../../../base/util/json.ts'
import type { RecordedStep } from './steps.ts'

const needed =
  'Each line is a command, or a JSON object with cmd (or command), and perhaps session, cwd, exit, agent and ts.'

/** The commands of a history, one a line, plain or as a JSON object, as if an agent had run them in the project. */
export async function* commandSteps(lines: AsyncIterable<string>, root: string): AsyncGenerator<RecordedStep> {
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() !== '' && !/^#\d+$/.test(line)) yield* toSteps(parseLine(line, number), number, root)
  }
}

const toSteps = (row: Record<string, unknown>, number: number, root: string): RecordedStep[] => {
  const handle = textOf(row['agent']) ?? textOf(row['user']) ?? 'person'
  const agent = { id: handle, handle, driver: 'claude', host: 'outside', cwd: textOf(row['cwd']) ?? root }
  const where = {
    at: Date.parse(textOf(row['ts']) ?? '') || 0,
    agent,
    conversation: textOf(row['session']) ?? 'commands',
  }
  const command = textOf(row['cmd']) ?? textOf(row['command']) ?? ''
  const id = String(number)
  // As the one tool that takes a command and nothing else.
  const call = { ...where, kind: 'call', id, tool: 'Bash', input: { command } } as const
  if (typeof row['exit'] !== 'number') return [call]
  // As that tool tells it.
  const end = row['exit'] === 0 ? { text: '', isError: false } : { text: `Exit code ${row['exit']}`, isError: true }
  return [call, { ...where, kind: 'result', result: { type: 'tool_result', id, ...end } }]
}

const parseLine = (line: string, number: number): Record<string, unknown> => {
  // Lines of shell histories: zsh puts `: 1700000000:0;` before a command, bash `#1700000000` on a line of its own.
  if (!line.trimStart().startsWith('{"')) return { cmd: line.replace(/^: \d+:\d+;/, '') }
  try {
    const row: unknown = JSON.parse(line)
    if (isObject(row) && (textOf(row['cmd']) ?? textOf(row['command'])) !== null) return row
  } catch {
    // Said below, with the line.
  }
  throw new ReinError('usage', `Line ${number} is no command: ${line.slice(0, 80)}`, needed)
}
