import type { Client } from '../../client/client.ts'
import { noticeChannel } from '../../contract/notice-events.ts'
import type { NotifyStatus } from '../../contract/outputs/notify.ts'
import { findDesktopNotifier } from '../../base/util/desktop-notifier.ts'
import type { CliContext } from '../context.ts'
import { showAnswer } from '../show-answer.ts'
import { type NotifyConfig, readNotifyConfig } from './notify-file.ts'
import { notifyText } from './text.ts'

/** The program that shows notifications; null if this system has none. */
export const notifierOf = ({ env }: Pick<CliContext, 'env'>, { command }: NotifyConfig): string | null =>
  command?.[0] ?? findDesktopNotifier({ env, platform: process.platform })?.program ?? null

export const readStatus = async (context: CliContext, client: Client): Promise<NotifyStatus> => {
  const config = readNotifyConfig(context)
  if (config === null) return { isOn: false, events: [], details: false, by: null, state: null, error: null }
  const { events, details } = config
  const adapter = (await client.adapters()).find(({ name }) => name === noticeChannel)
  const by = notifierOf(context, config)
  return { isOn: true, events, details, by, state: adapter?.state ?? null, error: adapter?.error ?? null }
}

export const run = showAnswer((context) => readStatus(context, context.connect()), notifyText)
