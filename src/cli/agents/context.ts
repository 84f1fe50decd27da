import type { ContextView } from '../../contract/routes/agents.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag, target?: string): Promise<void> => {
  const view = await connect().context({ target, cwd: cwd() })
  if (json) out.document(view)
  else out.line(contextLine(view))
}

export const contextLine = ({ handle, model, tokens, window, percent }: ContextView): string => {
  if (tokens === null) return `${handle} has had no reply yet.`
  const share = window === null ? 'the size of its window is not known' : `${percent} % of ${window}`
  return `${handle}: ${tokens} tokens in context, ${share} (${model ?? 'unknown model'})`
}
