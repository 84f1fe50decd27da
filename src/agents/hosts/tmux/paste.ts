import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { v4 as uuid } from 'uuid'
import { ReinError } from '../../../contract/errors.ts'

/** A text without control bytes into a pane, as a bracketed paste: nothing in it can press a key. */
export const paste = async (socket: string, target: string, text: string): Promise<void> => {
  const buffer = `rein-${uuid()}`
  const into = ['paste-buffer', '-p', '-d', '-b', buffer, '-t', target]
  const args = ['-S', socket, 'load-buffer', '-b', buffer, '-', ';', ...into]
  const child = spawn('tmux', args, { stdio: ['pipe', 'ignore', 'ignore'] })
  // One that has ended before it read everything says so by its code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(text)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new ReinError('failed', `tmux did not paste (exit code ${code ?? 'unknown'}).`)
}
