import type { Question } from '../../contract/agent.ts'

/** A question that waits for a person, as the daemon lists it. */
export interface Asked {
  agent: { id: string; project: string; handle: string }
  question: Question
  since: number
  /** Exactly this call can be allowed for good. */
  canAlways: boolean
  isHeld: boolean
}

interface Why {
  message: string
  hint?: string | undefined
}

type Answering =
  | { step: 'sending'; answer: string }
  /** Not taken: why, and what to do. It stays on the page until the person has read it. */
  | ({ step: 'refused' } & Why)
  /** Sent, and no answer came: it may have counted. That stays, too. */
  | ({ step: 'unknown' } & Why)

export interface QuestionBook {
  open: readonly Asked[]
  /** By key: what was done here. */
  answering: Readonly<Record<string, Answering>>
  /** Refused or not known, and not open any more. */
  gone: readonly Asked[]
}

export interface Card extends Asked {
  key: string
  answering: Answering | null
  isGone: boolean
}

export const emptyBook: QuestionBook = { open: [], answering: {}, gone: [] }

export const keyOf = ({ agent, question }: Pick<Asked, 'agent' | 'question'>): string => `${agent.id} ${question.id}`

/** What is open by now. An answer under way keeps its question: the daemon may still refuse it. */
export const withOpen = ({ open: before, answering, gone }: QuestionBook, open: readonly Asked[]): QuestionBook => {
  const keys = new Set(open.map(keyOf))
  const left = [...gone, ...before].filter((asked) => !keys.has(keyOf(asked)) && answering[keyOf(asked)] !== undefined)
  const wanted = new Set([...left.map(keyOf), ...keys])
  return {
    open,
    gone: left,
    answering: Object.fromEntries(Object.entries(answering).filter(([key]) => wanted.has(key))),
  }
}

export const withSending = (book: QuestionBook, key: string, answer: string): QuestionBook =>
  withStep(book, key, { step: 'sending', answer })

export const withRefusal = (book: QuestionBook, key: string, why: Why): QuestionBook =>
  withStep(book, key, { step: 'refused', ...why })

export const withUnknown = (book: QuestionBook, key: string, why: Why): QuestionBook =>
  withStep(book, key, { step: 'unknown', ...why })

const withStep = (book: QuestionBook, key: string, answering: Answering): QuestionBook => ({
  ...book,
  answering: { ...book.answering, [key]: answering },
})

/** It was taken, or its refusal was read: a question that is open still waits. */
export const withSettled = ({ open, answering, gone }: QuestionBook, key: string): QuestionBook => ({
  open,
  gone: gone.filter((asked) => keyOf(asked) !== key),
  answering: Object.fromEntries(Object.entries(answering).filter(([one]) => one !== key)),
})

/** The daemon's answer settles it, also where the news of it comes later. */
export const withTaken = (book: QuestionBook, key: string): QuestionBook =>
  withSettled({ ...book, open: book.open.filter((asked) => keyOf(asked) !== key) }, key)

/** Oldest first, so that a new one moves nothing that is shown. */
export const cardsOf = ({ open, answering, gone }: QuestionBook): Card[] => {
  const cardOf = (asked: Asked, isGone: boolean): Card => {
    const key = keyOf(asked)
    return { ...asked, key, answering: answering[key] ?? null, isGone }
  }
  return [...open.map((asked) => cardOf(asked, false)), ...gone.map((asked) => cardOf(asked, true))].toSorted(
    (a, b) => a.since - b.since || (a.key < b.key ? -1 : 1),
  )
}

/** All that stands on the page down to the buttons of this card: they are armed by it. What becomes of its own answer stands below them. */
export const shownDownTo = (cards: readonly Card[], key: string): string =>
  JSON.stringify(
    cards
      .slice(0, cards.findIndex((card) => card.key === key) + 1)
      .map(({ key: one, question, isGone, answering }) => [
        one,
        question,
        isGone,
        one === key ? null : (answering?.step ?? null),
      ]),
  )
