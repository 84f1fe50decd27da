import { command } from '../command.ts'
import type { StoryFlags } from '../handlers/story.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const storyCommands = {
  story: command<StoryFlags, [string]>({
    brief: 'Tell who did what, when and why: of a task, an agent or a session',
    more: 'From the log: turns with files, commands and costs, directives, posts, events, decisions, questions, rules, leases, crashes. Long stories are folded.',
    example: 'rein story parser --since 2h',
    flags: {
      since: flag.moment('Only what happened since then: 2h, or a date'),
    },
    args: tuple(argument.storied),
    load: () => import('../handlers/story.ts'),
  }),
}
