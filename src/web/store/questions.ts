import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ReinError } from '../../contract/errors.ts'
import { call, isOpen, openStream } from '../link/api.ts'
import { isUnknowing } from '../link/is-unknowing.ts'
import { setNavBadge } from './nav-badges.ts'
import {
  type Asked,
  emptyBook,
  keyOf,
  type QuestionBook,
  withOpen,
  withRefusal,
  withSending,
  withSettled,
  withTaken,
  withUnknown,
} from './question-book.ts'
import { targetOf } from './target.ts'

/** All that agents ask; null before the first answer. */
export const questions = signal<QuestionBook | null>(null)

const questionsPath = '/questions'

const change = (step: (book: QuestionBook) => QuestionBook): void => {
  questions.value = step(questions.value ?? emptyBook)
}

let isFollowed = false

/** Follows the questions as long as the page is open: every view shows how many there are. */
export const useQuestions = (): void => {
  useEffect(() => {
    if (isFollowed) return
    isFollowed = true
    openStream('watchQuestions', {}, ({ questions: open }) => change((book) => withOpen(book, open)))
    effect(() => setNavBadge(questionsPath, questions.value?.open.length ?? 0))
  }, [])
}

type AskedOne = Pick<Asked, 'agent' | 'question'>

/**
 * True: it was taken. The daemon compares the id: what is answered is what was shown. Any other outcome is kept for the
 * page to show. Without a connection nothing is sent, also not a moment later.
 */
const settleQuestion = async (asked: AskedOne, answer: string, act: () => Promise<unknown>): Promise<boolean> => {
  const key = keyOf(asked)
  if (!isOpen.peek()) {
    change((book) => withRefusal(book, key, { message: 'There is no connection: nothing was sent.' }))
    return false
  }
  change((book) => withSending(book, key, answer))
  try {
    await act()
    change((book) => withTaken(book, key))
    return true
  } catch (cause) {
    const { message, hint } = cause instanceof ReinError ? cause : { message: String(cause), hint: undefined }
    change((book) => (isUnknowing(cause) ? withUnknown : withRefusal)(book, key, { message, hint }))
    return false
  }
}

export const answerQuestion = (asked: AskedOne, answer: string): Promise<boolean> =>
  settleQuestion(asked, answer, () => call('answer', { ...targetOf(asked.agent), answer, question: asked.question.id }))

/** Allows the call of the question, and from then on exactly this call. */
export const allowForGood = (asked: AskedOne): Promise<boolean> =>
  settleQuestion(asked, 'always', () => call('allowAlways', { ...targetOf(asked.agent), question: asked.question.id }))

/** The person has read what became of the answer. */
export const dismissOutcome = (key: string): void => change((book) => withSettled(book, key))
