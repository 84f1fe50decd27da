import type { CliContext, JsonFlag } from '../context.ts'
import { handOver } from './hand-over.ts'
import { toldCommands } from './told.ts'

export const run = async (context: CliContext, { json }: JsonFlag): Promise<void> => {
  const result = await handOver(context, await toldCommands(context))
  if (json) context.out.document(result)
}
