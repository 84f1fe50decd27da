import type { CliContext, JsonFlag } from '../context.ts'
import { status, serviceHere } from './manage.ts'
import { showService } from './text.ts'

export const run = async (context: CliContext, flags: JsonFlag): Promise<void> =>
  showService(context, await status(serviceHere(context)), flags)
