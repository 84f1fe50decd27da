import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { foundTable } from './text.ts'

export interface SearchFlags {
  limit?: number
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { limit, json }: SearchFlags & JsonFlag,
  ...words: string[]
): Promise<void> => {
  const text = words.join(' ')
  if (text.trim() === '') throw new ReinError('usage', 'There is nothing to look for.', 'Give some words.')
  const found = await connect().searchNotes({ cwd: cwd(), text, limit })
  if (json) out.document(found)
  else out.line(foundTable(found))
}
