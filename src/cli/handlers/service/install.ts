import type { CliContext, JsonFlag } from '../../context.ts'
import { install, serviceHere } from '../../service/install.ts'
import { showService } from '../../service/text.ts'

export interface InstallFlags {
  print?: boolean
}

export const run = async (context: CliContext, flags: InstallFlags & JsonFlag): Promise<void> => {
  const kind = serviceHere(context)
  if (flags.print) return context.out.line(kind.content.trimEnd())
  showService(context, await install(kind), flags)
}
