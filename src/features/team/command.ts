import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BusEvent } from '../../contract/team.ts'
import { after } from '../../base/util/timer.ts'

export interface CommandResult {
  /** Null if it was ended by a signal, or never began. */
  exit: number | null
  /** The end of what it said. */
  output: string
}

export interface CommandLimits {
  ms: number
  outputBytes: number
}

const usual: CommandLimits = { ms: 600_000, outputBytes: 8192 }

/** Runs a shell command for an event, which it gets as JSON on its standard input; it and all it started are ended if that takes too long. */
export const runCommand = async (
  command: string,
  event: BusEvent,
  signal: AbortSignal,
  limits: CommandLimits = usual,
): Promise<CommandResult> => {
  const env = { ...process.env, REIN_EVENT: event.id, REIN_PROJECT: event.project }
  // A group of its own, so that all it started can be ended with it.
  const child: ChildProcess = spawn('sh', ['-c', command], { env, detached: true })
  const output = lastWords(child, limits.outputBytes)
  const end = (): void => endGroup(child)
  const cancel = after(limits.ms, end)
  signal.addEventListener('abort', end, { once: true })
  // Where there was no room for a process there are no pipes either; one that does not read its input is fine.
  child.stdin?.on('error', () => undefined).end(`${JSON.stringify(event)}\n`)
  try {
    const [exit] = (await once(child, 'close')) as [number | null]
    return { exit, output: output() }
  } catch (cause) {
    return { exit: null, output: String(cause) }
  } finally {
    cancel()
    signal.removeEventListener('abort', end)
  }
}

const lastWords = (child: ChildProcess, limit: number): (() => string) => {
  let kept: Uint8Array = new Uint8Array()
  const hear = (chunk: Buffer): void => {
    kept = Buffer.concat([kept, chunk]).subarray(-limit)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear)
  // The first letter may be cut in two.
  return () => new TextDecoder().decode(kept).replace(/^\uFFFD+/, '')
}

const endGroup = ({ pid, stdout, stderr }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended just now.
  }
  // What has left the group may hold them for ever.
  for (const stream of [stdout, stderr]) stream?.destroy()
}
