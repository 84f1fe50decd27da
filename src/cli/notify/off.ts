import { rmSync } from 'node:fs'
import { noticeChannel } from '../../contract/notice-events.ts'
import { showAnswer } from '../show-answer.ts'
import { notifyFile } from './notify-file.ts'
import { readStatus } from './status.ts'

/** The channel goes, too: nothing is kept for nobody. */
export const run = showAnswer(
  async (context) => {
    const client = context.connect()
    rmSync(notifyFile(context), { force: true })
    if ((await client.adapters()).some(({ name }) => name === noticeChannel))
      await client.stopAdapter({ name: noticeChannel })
    if ((await client.channels()).channels.some(({ name }) => name === noticeChannel))
      await client.removeChannel({ name: noticeChannel })
    return readStatus(context, client)
  },
  () => 'Notifications are off.',
)
