import type { CliContext, JsonFlag } from '../context.ts'
import { storyText } from '../story-text.ts'

export interface StoryFlags {
  since?: number
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { since, json }: StoryFlags & JsonFlag,
  target: string,
): Promise<void> => {
  const story = await connect().story({ cwd: cwd(), target, since })
  if (json) return out.document(story)
  // A pipe has no width: whoever reads it breaks lines as they like.
  out.line(storyText(story, { style: out.style, columns: process.stdout.columns ?? Number.POSITIVE_INFINITY }))
}
