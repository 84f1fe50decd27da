import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PushKeyView } from '../../src/contract/routes/push.ts'
import type { Scope } from '../../src/contract/scope.ts'
import { answering, startPushService } from '../support/fake-push-service.ts'
import { enter, pairDevice } from '../support/page-client.ts'
import { createBox, select, until } from './harness.ts'

/** Asks for permission, whatever it is prompted with. */
const askingClaude = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo '{"type":"result","subtype":"success"}'
while read -r line; do
  echo '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm -rf build"}}}'
done
`

/** A daemon with a paired phone that is subscribed at a push service on this machine. */
const start = async (scopes: Scope[], env: Record<string, string> = {}) => {
  const box = createBox({ REIN_PUSH_LOOPBACK: '1', ...env })
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', askingClaude)
  const service = await startPushService()
  const client = box.client()
  await client.status({})
  const phone = await pairDevice(client, box.registered()?.port ?? 0, scopes)
  const tab = await enter(phone)
  const { key } = (await tab.call('pushKey')) as PushKeyView
  const { endpoint, keys } = service
  await tab.call('subscribePush', { endpoint, keys, expirationTime: null })
  const ask = (handle: string) => {
    const request = { cwd: box.cwd, env: {}, args: [], prompt: 'Clean up.' }
    return client.up({ handle, driver: 'claude', host: 'stream', request, env: box.env })
  }
  const file = join(box.paths.state, 'push/subscriptions.json')
  const subscribed = (): unknown[] => JSON.parse(readFileSync(file, 'utf8')) as unknown[]
  const told = () =>
    select(box.paths, "SELECT body FROM record WHERE type = 'subscription.ended'").map(({ body }) => String(body))
  return { box, service, client, phone, tab, key, ask, file, subscribed, told }
}

test('what an agent asks reaches a paired phone, sealed and signed; nothing else tells where that is', async () => {
  const { box, service, tab, key, ask, file } = await start(['read', 'answer'])
  expect(await tab.call('testPush')).toEqual({ service: new URL(service.origin).host })
  const { project } = await ask('ada')
  const [, pushed] = await service.hasGot(2)
  expect(pushed).toMatchObject({
    message: {
      title: 'ada asks you',
      body: 'Open Rein to answer.',
      question: { kind: 'permission', project, handle: 'ada' },
      actions: [],
    },
    claims: { aud: service.origin },
    key,
  })
  // The id that it brings answers the question, from the phone.
  const question = pushed?.message.question?.id
  await tab.call('answer', { target: `${project}/ada`, cwd: '/', answer: 'allow', question })
  await until(async () => (await box.rein(['channel', 'list', '--json'])).stdout.includes('"pending": 0'))
  const printed = await box.rein(['channel', 'tail', 'web-push', '--json'])
  expect(printed.stdout).toContain('message.delivered')
  const files = [box.paths.log, box.paths.database, `${box.paths.database}-wal`]
  const everything = [printed.stdout, ...files.map((one) => readFileSync(one, 'latin1'))]
  for (const secret of ['secret-part', service.keys.auth, service.keys.p256dh])
    expect(everything.filter((text) => text.includes(secret))).toEqual([])
  expect([file, join(file, '../vapid.json')].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o600])
})

test('a busy service is asked again; what it never takes is a dead letter; a subscription that is gone is removed', async () => {
  const { box, service, tab, ask, subscribed, told } = await start(['read'], {
    REIN_CHANNELS_OUT_ATTEMPTS: '2',
    REIN_WEB_PUSH_DETAIL: 'true',
  })
  const busy = answering(503, { 'retry-after': '1' })
  service.answers.push(busy)
  await ask('ada')
  const [, second] = await service.hasGot(2)
  expect(second?.message).toMatchObject({ title: 'ada asks you', body: 'Bash\ncommand: rm -rf build', actions: [] })
  service.answers.push(busy, busy)
  await ask('ben')
  await service.hasGot(4)
  const dead = async () => (await box.rein(['channel', 'dead', '--json'])).stdout
  await until(async () => (await dead()).includes('phone: status 503'))
  service.answers.push(answering(410))
  await ask('cleo')
  await until(() => told().length > 0)
  expect([told(), subscribed()]).toEqual([[expect.stringContaining('"gone"')], []])
  expect(await tab.call('pushKey')).toMatchObject({ subscription: null, showsDetail: true })
  await expect(tab.call('testPush')).rejects.toMatchObject({ code: 'not_found' })
})

test('a revoked device is not notified any more', async () => {
  const { client, phone, subscribed, told } = await start(['read'])
  expect(subscribed()).toHaveLength(1)
  await client.revokeDevice({ id: phone.id })
  await until(() => told().length > 0)
  expect([told(), subscribed()]).toEqual([[expect.stringContaining('"revoked"')], []])
})
