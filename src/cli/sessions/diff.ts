import { diffText } from './changes-text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface DiffFlags {
  patch?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { patch, json }: DiffFlags & JsonFlag,
  target: string,
  from: string,
  to?: string,
): Promise<void> => {
  const diff = await connect().sessionDiff({ cwd: cwd(), target, from, to, patch })
  if (json) out.document(diff)
  else out.line(diffText(diff, out))
}
