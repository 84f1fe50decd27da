import type { CliContext, JsonFlag } from '../context.ts'
import { type SelectionFlags, showDeployment } from './text.ts'
import { toRequest } from './setup.ts'

export const run = async (context: CliContext, flags: SelectionFlags & JsonFlag): Promise<void> =>
  showDeployment(context, await context.connect().cleanup(toRequest(context, flags)), flags, {
    command: 'rein cleanup',
  })
