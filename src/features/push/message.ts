import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Agent, openQuestion, type Question } from '../../contract/agent.ts'
import type { Outgoing } from '../../contract/channel.ts'
import { noticeWords } from '../../contract/notice-events.ts'
import { Notice } from '../../contract/notice.ts'
import type { PushMessage } from '../../contract/push.ts'
import { redact } from '../../base/redact/redact.ts'
import { parseObject } from '../../base/util/json.ts'
import { cutShown, escapeUnsafe } from '../../base/util/visible.ts'
import { describeInput } from '../channels/questions.ts'

/** A notice as it waits in the outbox: of this agent, about this question. */
export const PushNews = Notice.extend({ agent: z.string(), question: z.string().nullable() })
export type PushNews = z.infer<typeof PushNews>

/** A message, and how a push service is to treat it. */
export interface Push {
  message: PushMessage
  urgency: 'high' | 'normal'
  /** For so long the service keeps it for a device that cannot be reached. */
  ttlSeconds: number
}

interface Given {
  agent: (id: string) => Agent | null
  showsDetail: boolean
  now: number
}

type Event = PushMessage['event']

const minute = 60_000
/** An older one is no news. */
const freshMs: Record<Event, number> = {
  asks: 240 * minute,
  crashed: 60 * minute,
  limited: 60 * minute,
  done: 60 * minute,
  says: 240 * minute,
  test: minute,
}
const urgent: readonly Event[] = ['asks', 'crashed', 'test']
/** What a phone shows of a notification that is opened up. */
const longestBody = 400
/** What every platform shows of one: only a question that is seen whole is answered there. */
const glance = { characters: 160, lines: 4 }

/** What a message on the channel is to a person who is not looking; null if it is no news any more. */
export const composePush = (outgoing: Outgoing, given: Given): Push | null => {
  const news = outgoing.from === null ? PushNews.safeParse(parseObject(outgoing.text)).data : undefined
  const message = news === undefined ? saying(outgoing, given) : noticing(news, given)
  if (message === null) return null
  const ttlMs = freshMs[message.event] - (given.now - message.at)
  if (ttlMs <= 0) return null
  const urgency = urgent.includes(message.event) ? 'high' : 'normal'
  return { message, urgency, ttlSeconds: Math.ceil(ttlMs / 1000) }
}

export const testPush = (at: number, device: string): Push => ({
  message: {
    event: 'test',
    title: 'Rein can reach you',
    body: 'You will be told here when an agent needs you.',
    tag: tagOf(`test ${device}`),
    url: '/#/settings',
    at,
    question: null,
    actions: [],
  },
  urgency: 'high',
  ttlSeconds: freshMs.test / 1000,
})

/** The newest state of an agent replaces the one before it, on the screen and at the push service. */
const noticing = (news: PushNews, { agent, showsDetail }: Given): PushMessage | null => {
  const { event, handle, project, at } = news
  const asking = agent(news.agent)
  const question = asking === null ? null : openQuestion(asking)
  const base = { event, title: `${handle} ${noticeWords[event]}`, tag: tagOf(news.agent), at }
  if (event !== 'asks') {
    const what = showsDetail ? shorten(show(news.what)) : ''
    return { ...base, body: what || unspecific, url: urlOf(news), question: null, actions: [] }
  }
  if (question === null || question.id !== news.question) return null
  const whole = show(detailOf(question))
  const body = showsDetail ? shorten(whole) : 'Open Rein to answer.'
  const isAnswerable = showsDetail && question.kind !== 'question' && isGlance(whole)
  const asked = { id: question.id, kind: question.kind, project, handle }
  const url = `/#/questions?question=${encodeURIComponent(question.id)}`
  return { ...base, body, url, question: asked, actions: isAnswerable ? ['allow', 'deny'] : [] }
}

const unspecific = 'Open Rein to see more.'

const saying = ({ id, text, from, at }: Outgoing, { showsDetail }: Given): PushMessage => ({
  event: 'says',
  title: from === null ? 'Rein' : `${from.handle} writes`,
  body: showsDetail ? shorten(show(text)) : unspecific,
  tag: tagOf(id),
  url: from === null ? '/#/' : urlOf(from),
  at,
  question: null,
  actions: [],
})

const detailOf = (question: Question): string => {
  if (question.kind === 'question') return question.summary
  return [question.tool, ...(question.why === undefined ? [] : [question.why]), describeInput(question)].join('\n')
}

const show = (text: string): string => escapeUnsafe(redact(text).text)

const shorten = (text: string): string => {
  const cut = cutShown(text, longestBody)
  return cut === text ? text : `${cut}…`
}

const isGlance = (text: string): boolean => text.length <= glance.characters && text.split('\n').length <= glance.lines

const urlOf = ({ project, handle }: { project: string; handle: string }): string =>
  `/#/agent/${encodeURIComponent(project)}/${encodeURIComponent(handle)}`

/** Also the topic at the push service: at most 32 characters, which tell that service nothing. */
const tagOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32)

/** For a device that may not answer. */
export const withoutActions = (message: PushMessage): PushMessage => ({ ...message, actions: [] })

/** As little as possible, for a service that takes no more. */
export const shortest = (message: PushMessage): PushMessage => ({ ...message, body: '', actions: [] })
