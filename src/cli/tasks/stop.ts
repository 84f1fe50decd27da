import type { CliContext, JsonFlag } from '../context.ts'
import { showTask } from './shown.ts'

export interface StopFlags {
  force?: boolean
}

export const run = async (context: CliContext, { json, force }: StopFlags & JsonFlag, name: string): Promise<void> =>
  showTask(context, await context.connect().stopTask({ cwd: context.cwd(), name, force }), { json })
