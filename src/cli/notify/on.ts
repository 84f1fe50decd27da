import { withoutAgent } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import { type NoticeEvent, noticeChannel, noticeEvents } from '../../contract/notice-events.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { showAnswer } from '../show-answer.ts'
import { notifyFile, type NotifyConfig } from './notify-file.ts'
import { notifierOf, readStatus } from './status.ts'
import { notifyText } from './text.ts'

interface OnFlags {
  event?: NoticeEvent[]
  details?: boolean
}

export const run = showAnswer(async (context, { event, details = false }: OnFlags) => {
  const command = context.driverArgs
  const config: NotifyConfig = {
    events: event ?? [...noticeEvents],
    details,
    ...(command.length === 0 ? {} : { command }),
  }
  const client = context.connect()
  // Before the file: the daemon makes the directory that it lies in.
  await client.hello()
  const file = notifyFile(context)
  await writeFileAtomic(file, `${JSON.stringify(config, null, 2)}\n`)
  if (notifierOf(context, config) !== null) {
    const adapter = { name: noticeChannel, kind: 'notify', config: file, env: withoutAgent(context.env) }
    const { state, error } = await client.runAdapter(adapter)
    if (state === 'failed') throw new ReinError('invalid_config', error ?? 'The notifier ended at once.')
  }
  return readStatus(context, client)
}, notifyText)
