import { z } from 'zod'
import { time } from './fields.ts'
import { route, type Routes } from './route.ts'

const base64url = (bytes: number) => {
  const characters = Math.ceil((bytes * 8) / 6)
  return z.string().regex(new RegExp(`^[\\w-]{${characters}}={0,2}$`), `${bytes} bytes in base64url`)
}

const PushSubscriptionOutput = z.object({
  service: z.string().describe('the host of the push service'),
  at: time('when it was made'),
})

export const PushKeyOutput = z.object({
  key: z.string().describe('the VAPID public key, an uncompressed point in base64url: `applicationServerKey`'),
  subscription: PushSubscriptionOutput.nullable().describe('of the calling device'),
  showsDetail: z.boolean().describe('whether notifications say what is asked: `web.push_detail`'),
})
/** As `PushSubscription.toJSON()` gives it. */
export const SubscribePushInput = z.object({
  endpoint: z.string().max(2048),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export const SubscribePushOutput = PushSubscriptionOutput
export const UnsubscribePushOutput = z.object({
  wasSubscribed: z.boolean(),
})
export const TestPushOutput = z.object({
  service: z.string().describe('the host of the push service, which has accepted it'),
})

export type PushKeyView = z.infer<typeof PushKeyOutput>
export type SubscribePushRequest = z.output<typeof SubscribePushInput>

/** Notifications of paired browsers; each of these is about the calling device. */
export const pushRoutes = {
  pushKey: route({
    method: 'GET',
    path: '/v1/push/key',
    output: PushKeyOutput,
    scope: 'read',
    help: 'Gives the key that browsers need to subscribe.',
  }),
  subscribePush: route({
    method: 'POST',
    path: '/v1/push/subscription',
    input: SubscribePushInput,
    output: SubscribePushOutput,
    scope: 'read',
    help: 'Lets the calling device be notified of what agents ask.',
  }),
  unsubscribePush: route({
    method: 'POST',
    path: '/v1/push/subscription/remove',
    output: UnsubscribePushOutput,
    scope: 'read',
    help: 'Ends the notifications of the calling device.',
  }),
  testPush: route({
    method: 'POST',
    path: '/v1/push/test',
    output: TestPushOutput,
    scope: 'read',
    limitMs: 30_000,
    help: 'Sends a notification to the calling device.',
  }),
} satisfies Routes
