import type { CliContext, JsonFlag } from '../context.ts'
import { showDeployment } from './text.ts'
import { type SelectionFlags, toRequest } from './setup.ts'

export const run = async (context: CliContext, flags: SelectionFlags & JsonFlag): Promise<void> =>
  showDeployment(context, await context.connect().cleanup(toRequest(context, flags)), flags)
