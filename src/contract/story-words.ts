import { personName } from './person.ts'
import type { StoryMoment } from './routes/story.ts'

const startsWithPerson = new RegExp(`^${personName}(?=:| told it| made the task| \\()`)
const byPerson = new RegExp(`\\bby ${personName}(?=$| \\(|: )`)

/** A moment as its reader is told: a person is `you` to themselves. */
export const momentText = ({ agent, kind, text }: Pick<StoryMoment, 'agent' | 'kind' | 'text'>): string => {
  // What Rein writes about you begins so; what an agent says stands beside its name.
  if (agent === null || kind === 'directive') return text.replace(startsWithPerson, 'you')
  return kind === 'agent' || kind === 'move' ? text.replace(byPerson, 'by you') : text
}

/** What became of it, told in the same way. */
export const outcomeText = ({ text }: NonNullable<StoryMoment['outcome']>): string => text.replace(byPerson, 'by you')
