import type { CliContext, JsonFlag } from '../context.ts'
import { switchPack } from './rule-packs.ts'

export interface PackFlags {
  project?: boolean
}

export const run = (context: CliContext, flags: PackFlags & JsonFlag, pack: string): Promise<void> =>
  switchPack(context, flags, pack, true)
