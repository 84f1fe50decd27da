import type { CliContext, JsonFlag } from '../../context.ts'
import { status, serviceHere } from '../../service/install.ts'
import { showService } from '../../service/text.ts'

export const run = async (context: CliContext, flags: JsonFlag): Promise<void> =>
  showService(context, await status(serviceHere(context)), flags)
