import { resolve } from 'node:path'
import { withoutAgent } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface RunFlags {
  config?: string
  name?: string
}

export const run = async (context: CliContext, flags: RunFlags & JsonFlag, kind: string): Promise<void> => {
  const { connect, out, cwd } = context
  if (flags.config === undefined)
    throw new ReinError(
      'usage',
      'Which configuration? --config is missing.',
      `Name its file: rein adapter run ${kind} --config ${kind}.toml`,
    )
  const config = resolve(cwd(), flags.config)
  const started = await connect().runAdapter({ name: flags.name ?? kind, kind, config, env: withoutAgent(context.env) })
  if (started.state === 'failed') throw new ReinError('invalid_config', started.error ?? 'It ended at once.')
  if (flags.json) out.document(started)
  else {
    const { name, state, pid, error } = started
    out.line(
      state === 'running'
        ? `${name} runs (pid ${pid}).`
        : `${name} ${state === 'starting' ? 'is not at work yet' : 'ended and is started again'}: ${error ?? 'it says nothing'}`,
    )
  }
}
