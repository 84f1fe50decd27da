import { nameFor, personName } from './person.ts'
import type { StoryMoment } from './routes/story.ts'

const startsWithPerson = new RegExp(`^${personName}(?=:| told it| made the task| \\()`)
const endsWithPerson = new RegExp(`\\bby ${personName}(?=$| \\([^()]*\\)$)`)

/** A moment as its reader is told: a person is `you` to themselves, not to an agent. */
export const momentText = (
  { agent, kind, text }: Pick<StoryMoment, 'agent' | 'kind' | 'text'>,
  { isAgent }: { isAgent: boolean },
): string => {
  if (isAgent) return text
  // What Rein writes about you begins so; what an agent says stands beside its name.
  if (agent === null || kind === 'directive') return text.replace(startsWithPerson, 'you')
  return kind === 'agent' || kind === 'move' ? text.replace(endsWithPerson, 'by you') : text
}

/** What became of it, told in the same way; notes and free answers are shown as they were written. */
export const outcomeText = (
  { text, by, why }: NonNullable<StoryMoment['outcome']>,
  reader: { isAgent: boolean },
): string => `${text}${by === null ? '' : `, by ${nameFor(reader, by)}`}${why === null ? '' : `: ${why}`}`
