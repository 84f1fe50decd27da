import { withoutAgent } from '../../client/agent-env.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { showDeployment } from './text.ts'

export const run = async (context: CliContext, flags: JsonFlag): Promise<void> =>
  showDeployment(context, await context.connect().update({ env: withoutAgent(context.env) }), flags)
