import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BusEvent } from '../../contract/team.ts'
import { after } from '../../base/util/timer.ts'

export interface CommandResult {
  /** Null if it was killed, or never started. */
  exit: number | null
  /** The end of its output. */
  output: string
}

interface CommandLimits {
  ms: number
  outputBytes: number
}

const usual: CommandLimits = { ms: 600_000, outputBytes: 8192 }

/** Runs a shell command with an event as JSON on its standard input; it and all its children are killed after a time limit. */
export const runCommand = async (
  command: string,
  event: BusEvent,
  signal: AbortSignal,
  limits: CommandLimits = usual,
): Promise<CommandResult> => {
  const env = { ...process.env, REIN_EVENT: event.id, REIN_PROJECT: event.project }
  // A process group of its own, so that its children can be killed with it.
  const child: ChildProcess = spawn('sh', ['-c', command], { env, detached: true })
  const streams = [child.stdout, child.stderr]
  let kept: Uint8Array = new Uint8Array()
  for (const stream of streams)
    stream?.on('data', (chunk: Buffer) => (kept = Buffer.concat([kept, chunk]).subarray(-limits.outputBytes)))
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended just now.
    }
    // A process that has left the group may hold them forever.
    for (const stream of streams) stream?.destroy()
  }
  const cancel = after(limits.ms, end)
  signal.addEventListener('abort', end, { once: true })
  // Without a process there are no pipes; a command need not read its input.
  child.stdin?.on('error', () => undefined).end(`${JSON.stringify(event)}\n`)
  try {
    const [exit] = (await once(child, 'close')) as [number | null]
    // The first character may be cut in two.
    return { exit, output: new TextDecoder().decode(kept).replace(/^\uFFFD+/, '') }
  } catch (cause) {
    return { exit: null, output: String(cause) }
  } finally {
    cancel()
    signal.removeEventListener('abort', end)
  }
}
