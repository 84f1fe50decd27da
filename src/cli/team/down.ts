import type { CliContext, JsonFlag } from '../context.ts'
import { showTeam } from '../tasks/shown.ts'

export const run = async (context: CliContext, { json }: JsonFlag): Promise<void> =>
  showTeam(context, await context.connect().teamDown({ cwd: context.cwd() }), json)
