import type { CliContext, JsonFlag } from '../context.ts'
import { switchPack } from './rule-packs.ts'
import type { PackFlags } from './enable.ts'

export const run = (context: CliContext, flags: PackFlags & JsonFlag, pack: string): Promise<void> =>
  switchPack(context, flags, pack, false)
