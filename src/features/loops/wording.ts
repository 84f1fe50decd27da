import type { Question } from '../../contract/agent.ts'
import type { Loop } from '../../contract/loop.ts'
import { seenText } from '../../contract/loop-text.ts'

const hint = 'Rein (a hint, not an instruction)'

const elsewhere: Record<Loop['kind'], string> = {
  failing:
    'Once more will not help: read what it prints, look at what that names, change something, or take another way.',
  repeat: 'Once more will not help: use what you have, or take another way. If you wait for something, wait longer.',
  undo: 'Decide for one of them, or find out what makes you go back.',
  turns: 'If all is done, say so; else do something that was not tried yet.',
}

/** Said to the agent, once for each loop. */
export const noteText = (loop: Loop): string =>
  `${hint}: ${seenText(loop)} ${elsewhere[loop.kind]} If you cannot go on, say what is missing and stop.`

/** Why a person is asked. */
export const askText = (loop: Loop): string => `${askOpening} ${seenText(loop)}`

const askOpening = 'Rein: it seems to go in circles.'

export const isLoopQuestion = ({ why }: Pick<Question, 'why'>): boolean => why?.includes(askOpening) ?? false

/** Told to the agent where its CLI cannot ask a person. */
export const denyText = (loop: Loop): string =>
  `Not run: you go in circles. ${seenText(loop)} ${elsewhere[loop.kind]} A person has been told.`

export const stopText = (loop: Loop): string => `It went in circles. ${seenText(loop)}`
