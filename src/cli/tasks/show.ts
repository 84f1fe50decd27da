import type { CliContext, JsonFlag } from '../context.ts'
import { showTask } from './shown.ts'

export const run = async (context: CliContext, { json }: JsonFlag, name: string): Promise<void> =>
  showTask(context, await context.connect().task({ cwd: context.cwd(), name }), { json, isLook: true })
