import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import { noticeChannel } from '../../contract/notice-events.ts'
import type { Notice } from '../../contract/notice.ts'
import type { NotifyTest } from '../../contract/outputs/notify.ts'
import { printable } from '../format.ts'
import { showAnswer } from '../show-answer.ts'
import { readStatus } from './status.ts'

const limitMs = 30_000

/** What the adapter says of it: shown, or why not. */
const resultOf = async (client: Client, id: string): Promise<Pick<NotifyTest, 'isShown' | 'error'>> => {
  const records = client.tailChannel({ name: noticeChannel, follow: true }, AbortSignal.timeout(limitMs))
  for await (const record of records) {
    if (record.cause !== id) continue
    if (record.type === 'message.delivered') return { isShown: true, error: null }
    if (record.type === 'message.failed' || record.type === 'message.dead')
      return { isShown: false, error: record.body.reason }
  }
  return { isShown: false, error: `Nothing was heard of it within ${limitMs / 1000} s. See: rein notify status` }
}

export const run = showAnswer(
  async (context) => {
    const client = context.connect()
    const { isOn, by, events } = await readStatus(context, client)
    if (!isOn) throw new ReinError('refused', 'Notifications are off.', 'Switch them on: rein notify on')
    if (by === null)
      return {
        isShown: false,
        by,
        error:
          'No desktop notifier is installed here. Install notify-send (package libnotify-bin), then run: rein notify on',
      }
    const [event = 'asks'] = events
    const notice: Notice = { event, handle: 'test', project: 'rein', at: context.now(), what: 'This is a test.' }
    const { id } = await client.sendOut({ name: noticeChannel, text: JSON.stringify(notice) })
    return { by, ...(await resultOf(client, id)) }
  },
  ({ isShown, by, error }) =>
    isShown
      ? `A notification was shown by ${printable(by ?? '')}.`
      : `No notification was shown. ${printable(error ?? '')}`,
  ({ isShown }) => !isShown,
)
