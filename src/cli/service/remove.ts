import type { CliContext, JsonFlag } from '../context.ts'
import { remove, serviceHere } from './manage.ts'
import { showService } from './text.ts'

export const run = async (context: CliContext, flags: JsonFlag): Promise<void> =>
  showService(context, await remove(serviceHere(context)), flags)
