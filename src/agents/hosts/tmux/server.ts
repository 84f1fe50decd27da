import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ReinError } from '../../../contract/errors.ts'
import { markCommand, serverMark } from '../../../base/util/lock-limit.ts'

const run = promisify(execFile)
/** A server that does not answer by then is stuck. */
const limitMs = 5000
const shellFoundNone = 127

/** One tmux command as its own process: for what is rare, or carries a text. */
export const runTmux = async (socket: string, ...args: string[]): Promise<string> => {
  try {
    // The server, if this starts it, has the mark: agents can let it run what they like.
    const [command, words] = markCommand(serverMark(), 'tmux', ['-S', socket, '-f', '/dev/null', ...args])
    const { stdout } = await run(command, words, { timeout: limitMs })
    return stdout
  } catch (cause) {
    const { code, stderr } = cause as { code?: string | number; stderr?: string }
    if (code === 'ENOENT' || code === shellFoundNone)
      throw new ReinError(
        'not_found',
        'tmux is not installed.',
        'Run the agent without it: rein up worker-1 --host pty. Or install tmux: rein doctor',
      )
    throw new ReinError('failed', `tmux: ${(stderr ?? String(cause)).trim()}`)
  }
}

/** For every pane of ours: its colours and focus as the CLIs expect them, and what it showed last stays readable. */
export const serverOptions = [
  ['set-option', '-g', 'default-terminal', 'tmux-256color'],
  ['set-option', '-g', 'focus-events', 'on'],
  ['set-option', '-g', 'history-limit', '50000'],
  ['set-option', '-g', 'remain-on-exit', 'on'],
  ['set-option', '-g', 'status', 'off'],
  ['set-option', '-g', 'escape-time', '10'],
  // Of those that stand side by side, only the one that is looked at has the size of who looks.
  ['set-option', '-wg', 'aggressive-resize', 'on'],
] as const
