import type { EventPriority } from '../../contract/team.ts'
import { publishedText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { readTextInput } from '../text-input.ts'

export interface PublishFlags {
  priority?: EventPriority
  dedup?: string
  to?: string
  once?: boolean
}

export const run = async (
  { connect, out, cwd, stdin }: CliContext,
  { priority, dedup, to, once, json }: PublishFlags & JsonFlag,
  type: string,
  given?: string,
): Promise<void> => {
  const payload = given === undefined ? undefined : await readTextInput(given, stdin)
  const published = await connect().publish({
    cwd: cwd(),
    type,
    payload,
    priority,
    dedup,
    to: to === 'all' ? undefined : to,
    once,
  })
  if (json) out.document(published)
  else out.line(publishedText(published))
}
