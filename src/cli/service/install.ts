import type { CliContext, JsonFlag } from '../context.ts'
import { install, serviceHere } from './manage.ts'
import { showService } from './text.ts'

export const run = async (context: CliContext, flags: { dryRun?: boolean } & JsonFlag): Promise<void> => {
  const kind = serviceHere(context)
  if (flags.dryRun) return context.out.line(kind.content.trimEnd())
  showService(context, await install(kind), flags)
}
