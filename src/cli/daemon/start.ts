import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withoutAgent } from '../../client/agent-env.ts'
import { daemonScript } from '../../client/start.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { askThePerson } from '../person-only.ts'
import { statusLine } from './status.ts'

export interface StartFlags {
  foreground?: boolean
}

export const run = async (context: CliContext, flags: StartFlags & JsonFlag): Promise<void> => {
  // A daemon that is started here does not have the environment by which it could tell.
  if (context.out.isAgent) throw new ReinError('forbidden', 'An agent may not start a daemon.', askThePerson)
  if (flags.foreground) {
    // Ctrl-C reaches the daemon, too: it stops by itself, and this process with it.
    const child = spawn(process.execPath, [daemonScript(), '--foreground'], {
      stdio: 'inherit',
      env: withoutAgent(context.env),
    })
    const forward = (signal: NodeJS.Signals): unknown => child.kill(signal)
    process
      .on('SIGINT', () => {})
      .on('SIGTERM', forward)
      .on('SIGHUP', forward)
    const [code] = (await once(child, 'exit')) as [number | null]
    context.exitWith(code ?? 1)
    return
  }
  const { connect, out, now } = context
  const client = connect()
  await client.hello()
  const status = await client.status()
  if (flags.json) out.document(status)
  else out.line(statusLine(status, now()))
}
