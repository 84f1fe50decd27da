import { z } from 'zod'
import { noticeChannel, noticeEvents, noticeWords } from '../contract/notice-events.ts'
import { Notice } from '../contract/notice.ts'
import { parseObject } from '../base/util/json.ts'
import { findDesktopNotifier } from '../base/util/desktop-notifier.ts'
import { escapeUnsafe } from '../base/util/visible.ts'
import { createAdapter, type OutgoingMessage, PermanentError } from './sdk/adapter.ts'
import { channelNamed } from './config.ts'
import { runProgram } from './command.ts'
import type { AdapterKind, World } from './kind.ts'

const Config = z.strictObject({
  channel: channelNamed(noticeChannel),
  events: z.array(z.enum(noticeEvents)).default([...noticeEvents]),
  /** Whether what an agent asks is shown, and not only that it does. */
  details: z.boolean().default(false),
  /** Run instead of a desktop notification, with the notice as JSON on its standard input. */
  command: z.array(z.string()).min(1).optional(),
})
type Config = z.infer<typeof Config>

const timeoutMs = 20_000
/** Nobody wants to be told in the evening that an agent asked something at noon. */
const staleMs = 10 * 60_000
const textLength = 200

/** What is to be shown; null for what nobody wants to see. What an agent sends here itself is not taken for Rein's words. */
const noticeIn = (message: OutgoingMessage, { events }: Config, now: number): Notice | null => {
  if (now - message.at > staleMs) return null
  if (message.from !== null) return null
  const { data } = Notice.safeParse(parseObject(message.text))
  return data !== undefined && events.includes(data.event) ? data : null
}

const show = async (notice: Notice, { command, details }: Config, { dir, env }: World): Promise<void> => {
  const { event, handle, project, what } = notice
  if (command !== undefined) {
    const given = { REIN_EVENT: event, REIN_NOTICE_HANDLE: handle, REIN_NOTICE_PROJECT: project }
    const input = `${JSON.stringify(details ? notice : { ...notice, what: '' })}\n`
    await runProgram({ command, cwd: dir, env: { ...env, ...given }, input, timeoutMs })
    return
  }
  const notifier = findDesktopNotifier({ env, platform: process.platform })
  if (notifier === null) throw new PermanentError('There is no program to notify with.')
  const text = details && what !== '' ? escapeUnsafe(what).slice(0, textLength) : escapeUnsafe(project)
  const shown = notifier.command(`${handle} ${noticeWords[event]}`, text)
  await runProgram({ command: shown, cwd: dir, env: { ...env }, input: '', timeoutMs })
}

/** Tells a person on their desktop, or by a program of theirs, what agents need them for. */
export const notify: AdapterKind<typeof Config> = {
  config: Config,
  start: (config, world) => {
    const send = async (message: OutgoingMessage): Promise<void> => {
      const notice = noticeIn(message, config, world.now())
      if (notice !== null) await show(notice, config, world)
    }
    const { channel } = config
    return createAdapter({ channel, send, sendLimitMs: timeoutMs + 5_000, log: world.log }, world.daemon)
  },
}
