/** In a file of its own, without zod: the command line checks these before it asks anybody. */
export const noticeEvents = ['asks', 'done', 'crashed', 'limited'] as const
export type NoticeEvent = (typeof noticeEvents)[number]

/** The channel that notices leave on, and the adapter that shows them. */
export const noticeChannel = 'notify'

export const noticeWords: Record<NoticeEvent, string> = {
  asks: 'asks you',
  done: 'is done',
  crashed: 'crashed',
  limited: 'has reached its usage limit',
}
