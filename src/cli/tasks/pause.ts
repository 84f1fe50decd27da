import type { CliContext, JsonFlag } from '../context.ts'
import { showTask } from './shown.ts'

export interface PauseFlags {
  now?: boolean
}

export const run = async (context: CliContext, { json, now }: PauseFlags & JsonFlag, name: string): Promise<void> =>
  showTask(context, await context.connect().pauseTask({ cwd: context.cwd(), name, now }), { json })
