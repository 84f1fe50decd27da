import type { EventPriority } from '../../contract/team.ts'
import { publishedText } from './text.ts'
import { readTextInput } from '../text-input.ts'
import { showAnswer } from '../show-answer.ts'

interface PublishFlags {
  priority?: EventPriority
  key?: string
  to?: string
  once?: boolean
}

export const run = showAnswer(
  async ({ connect, cwd, stdin }, flags: PublishFlags, type: string, given?: string) => {
    const payload = given === undefined ? undefined : await readTextInput(given, stdin)
    const { priority, key, once } = flags
    const to = flags.to === 'all' ? undefined : flags.to
    return connect().publish({ cwd: cwd(), type, payload, priority, dedup: key, to, once })
  },
  (published, { out }) => publishedText(published, out),
)
