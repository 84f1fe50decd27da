import type { CliContext, JsonFlag } from '../context.ts'
import { type NextFlags, run as suggest } from './suggest.ts'

export const run = (context: CliContext, flags: NextFlags & JsonFlag): Promise<void> => suggest(context, flags)
