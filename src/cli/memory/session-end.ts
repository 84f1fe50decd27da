import type { CliContext, JsonFlag } from '../context.ts'
import { tellSession } from './tell-session.ts'

export const run = (context: CliContext, flags: JsonFlag): Promise<void> => tellSession(context, flags, 'end')
