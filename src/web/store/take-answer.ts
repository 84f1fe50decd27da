import { ReinError } from '../../contract/errors.ts'
import type { AnswerMessage, PageReply } from '../worker/notification.ts'

interface AnswerPorts {
  now(): number
  isOpen(): boolean
  /** Sends the answer before it returns. Null: the question is not open any more. */
  answer(message: AnswerMessage): Promise<boolean> | null
  reply(reply: PageReply): void
}

/** Answers a question from its notification, now or not at all: later, the person was told that it was not answered. */
export const takeAnswer = async (ports: AnswerPorts, message: AnswerMessage): Promise<boolean> => {
  const refusal = refusalOf(ports, message)
  const sent = refusal === null ? ports.answer(message) : null
  ports.reply(sent === null ? 'refused' : 'sent')
  if (refusal !== null) throw refusal
  if (sent === null) return false
  const isAnswered = await sent
  ports.reply(isAnswered ? 'answered' : 'refused')
  return isAnswered
}

/** Without a connection it is not known whether the question is still the one that was shown. */
const refusalOf = (ports: AnswerPorts, { until, question: { handle } }: AnswerMessage): ReinError | null => {
  if (ports.now() > until) return new ReinError('not_in_time', `This page was asleep: ${handle} was not answered.`)
  return ports.isOpen() ? null : new ReinError('unavailable', `No connection: ${handle} was not answered.`)
}
