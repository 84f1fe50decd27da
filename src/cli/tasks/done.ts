import type { CliContext, JsonFlag } from '../context.ts'
import { showTask } from './shown.ts'
import type { StopFlags } from './stop.ts'

export const run = async (context: CliContext, { json, force }: StopFlags & JsonFlag, name: string): Promise<void> =>
  showTask(context, await context.connect().finishTask({ cwd: context.cwd(), name, force }), { json })
