import type { PushMessage } from '../../contract/push.ts'

/** What a tap on the notification needs to know. */
export interface NoticeData {
  /** Where in the page it leads. */
  url: string
  title: string
  tag: string
  question: PushMessage['question']
}

export interface NoticeOptions {
  body: string
  tag: string
  renotify: boolean
  requireInteraction: boolean
  timestamp: number
  icon: string
  data: NoticeData
  actions: { action: string; title: string }[]
}

const iconPath = '/icon.svg'

const actionTitles = { allow: 'Allow once', deny: 'Deny' } as const
type AnswerAction = keyof typeof actionTitles
const isAnswer = (action: string): action is AnswerAction => Object.hasOwn(actionTitles, action)

const questionUrl = (id: string): string => `/#/questions?question=${encodeURIComponent(id)}`

/** A link out of the page is none. */
const pageUrl = ({ url, question }: Pick<PushMessage, 'url' | 'question'>): string => {
  if (question !== null) return questionUrl(question.id)
  return url.startsWith('/#/') ? url : '/#/'
}

/** A browser shows something for every push, or warns the person: also for one that makes no sense. */
export const readMessage = (text: string): PushMessage => {
  const empty: PushMessage = {
    event: 'says',
    title: 'Rein',
    body: 'Open Rein to see more.',
    tag: 'rein',
    url: '/#/',
    at: 0,
    question: null,
    actions: [],
  }
  try {
    return { ...empty, ...(JSON.parse(text) as Partial<PushMessage>) }
  } catch {
    return empty
  }
}

export const notificationOf = (message: PushMessage): NoticeOptions => {
  const { body, tag, title, at, event, question, actions } = message
  return {
    body,
    tag,
    renotify: true,
    requireInteraction: event === 'asks',
    timestamp: at,
    icon: iconPath,
    data: { url: pageUrl(message), title, tag, question },
    // Only where the daemon has shown the question whole.
    actions:
      question === null ? [] : actions.filter(isAnswer).map((action) => ({ action, title: actionTitles[action] })),
  }
}

/** What the worker asks of a page, and what the page says to it. */
export type WorkerMessage =
  | { kind: 'open'; url: string }
  | { kind: 'answer'; answer: AnswerAction; question: NonNullable<PushMessage['question']>; url: string }
export type PageReply = { isAnswered: boolean }

/** An answer goes through the page, which has the key of this device; without a page the question is opened instead. */
export const decideClick = (action: string, { url, question }: NoticeData, hasPage: boolean): WorkerMessage =>
  question !== null && isAnswer(action) && hasPage
    ? { kind: 'answer', answer: action, question, url }
    : { kind: 'open', url }

/** Nobody who tapped "Allow" may believe that it was, if it was not. */
export const failureOf = ({ title, tag, url, question }: NoticeData): { title: string; options: NoticeOptions } => ({
  title: `Not answered: ${title}`,
  options: {
    body: 'Open Rein to see what is asked now.',
    tag,
    renotify: false,
    requireInteraction: false,
    timestamp: 0,
    icon: iconPath,
    data: { title, tag, url, question },
    actions: [],
  },
})
