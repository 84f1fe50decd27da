import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NoticeEvent, noticeEvents } from '../../contract/notice-events.ts'
import { isObject } from '../../base/util/json.ts'
import type { CliContext } from '../context.ts'

/** What the adapter reads, and what `rein top` rings the terminal for. */
export interface NotifyConfig {
  events: NoticeEvent[]
  details: boolean
  command?: string[]
}

export const notifyFile = ({ paths }: Pick<CliContext, 'paths'>): string => join(paths().state, 'notify.json')

/** Null: nobody wants to be notified. */
export const readNotifyConfig = (context: Pick<CliContext, 'paths'>): NotifyConfig | null => {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(notifyFile(context), 'utf8'))
  } catch {
    return null
  }
  if (!isObject(read)) return null
  const { events, command } = read
  return {
    events: Array.isArray(events) ? noticeEvents.filter((event) => events.includes(event)) : [...noticeEvents],
    details: read['details'] === true,
    ...(Array.isArray(command) ? { command: command.map(String) } : {}),
  }
}
