import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { v4 as uuid } from 'uuid'

/** A text without control bytes into a pane, as a bracketed paste: nothing in it can press a key. */
export const paste = async (socket: string, target: string, text: string): Promise<void> => {
  const buffer = `rein-${uuid()}`
  const into = ['paste-buffer', '-p', '-d', '-b', buffer, '-t', target]
  const args = ['-S', socket, 'load-buffer', '-b', buffer, '-', ';', ...into]
  const child = spawn('tmux', args, { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(text)
  await once(child, 'exit')
}
