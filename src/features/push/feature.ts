import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Device } from '../../contract/device.ts'
import { byRein } from '../../contract/identity.ts'
import { pushChannel } from '../../contract/push.ts'
import type { pushRoutes } from '../../contract/routes/push.ts'
import { deriveId } from '../../base/util/derived-id.ts'
import type { Channels } from '../channels/channels.ts'
import { Notices } from '../channels/notices.ts'
import type { Outbox } from '../channels/outbox.ts'
import type { Sender } from '../channels/sender.ts'
import type { Feature } from '../feature.ts'
import { pushHandlers } from './handlers.ts'
import type { PushNews } from './message.ts'
import { postPush } from './post.ts'
import { Pusher } from './pusher.ts'
import { Subscriptions } from './subscriptions.ts'
import { VapidKeys } from './vapid.ts'

interface Needs {
  channels: {
    channels: Pick<Channels, 'get' | 'set'>
    outbox: Pick<Outbox, 'take' | 'settle'>
    sender: Pick<Sender, 'send'>
  }
  web: {
    /** A device that may connect. */
    findDevice(id: string): Pick<Device, 'scopes'> | null
  }
}

/** For tests: their push service listens on this machine. */
const allowsLoopback = process.env['REIN_PUSH_LOOPBACK'] === '1'

/** What agents need a person for, as notifications of paired browsers. */
export const push: Feature<'push', typeof pushRoutes, Needs, object> = {
  name: 'push',
  create: (base, { supervisor }, others) => {
    const { append, log, now, newId, paths, settings } = base
    const dir = join(paths.state, 'push')
    const onTrouble = base.troubleIn('push')
    const keys = new VapidKeys(join(dir, 'vapid.json'))
    const isPaired = (device: string): boolean => others.web.findDevice(device) !== null
    const file = join(dir, 'subscriptions.json')
    const subscriptions = new Subscriptions({ file, append, isPaired, now, newId, onTrouble })
    const showsDetail = settings['web.push_detail']
    const pusher = new Pusher({
      outbox: {
        take: (...asked) => others.channels.outbox.take(...asked),
        settle: (...said) => others.channels.outbox.settle(...said),
      },
      subscriptions,
      keys,
      device: (id) => others.web.findDevice(id),
      agent: (id) => supervisor.get(id),
      post: (posting) => postPush(posting, { now, allowsLoopback }),
      showsDetail,
      contact: settings['web.push_contact'],
      now,
      pause: (ms, signal) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined),
      onTrouble,
    })
    const notices = new Notices({
      agents: () => supervisor.agents,
      agent: (id) => supervisor.get(id),
      isWanted: () => others.channels.channels.get(pushChannel)?.isKept === true && subscriptions.all.length > 0,
      send: ({ notice, agent, question, key }) => {
        const news: PushNews = { ...notice, agent: agent.id, question: question?.id ?? null }
        const message = { channel: pushChannel, text: JSON.stringify(news), id: deriveId('out', `push ${key}`) }
        return others.channels.sender.send(byRein, message)
      },
      now,
      onTrouble,
    })
    const ending = new AbortController()
    // On a full disk, say. Nothing is pushed to that device, and the next daemon tries again.
    const drop = (device: string): Promise<void> => subscriptions.drop(device, byRein).catch(onTrouble)
    /** Also those that were revoked while there was no time left to do this. */
    const dropRevoked = async (): Promise<void> => {
      const { last } = log.bounds('devices')
      for (const { device } of subscriptions.all) if (!isPaired(device)) await drop(device)
      for await (const { type, body } of log.tail('devices', last, ending.signal))
        if (type === 'device.revoked') await drop(body.device)
    }
    return {
      handlers: pushHandlers({
        keys,
        subscriptions,
        pusher,
        channels: () => others.channels.channels,
        showsDetail,
        allowsLoopback,
        now,
      }),
      watchers: [notices],
      start: () => {
        notices.start()
        void pusher.run(ending.signal)
        void dropRevoked().catch(onTrouble)
      },
      stop: () => ending.abort(),
      api: {},
    }
  },
}
