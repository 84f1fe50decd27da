import type { Signature } from '../../../contract/channel.ts'
import { ReinError } from '../../../contract/errors.ts'
import { isObject, parseObject, textOf } from '../../../base/util/json.ts'
import { deliveryField } from '../new-message.ts'
import { verifyGithub, verifySlack } from './signature.ts'

type Header = (name: string) => string | undefined

/** The content of a webhook whose signature is valid. */
export type Webhook =
  | { kind: 'message'; message: { content: string; sender?: string; key?: string; meta: Record<string, unknown> } }
  /** Nothing for an agent: a test of the connection, or the words of a bot, who may be the agent itself. */
  | { kind: 'nothing' }
  /** Some services first ask for a word back. */
  | { kind: 'challenge'; answer: string }

/** Longer ones are cut: what matters stands at the beginning, and the rest would only fill a context. */
const maxContent = 8_000

export const readWebhook = (
  kind: Signature | null,
  secret: string | null,
  body: string,
  header: Header,
  now: number,
): Webhook => {
  const signed = { timestamp: header('x-slack-request-timestamp') ?? '', signature: header('x-slack-signature') ?? '' }
  const isRight =
    secret !== null &&
    (kind === 'github'
      ? verifyGithub(secret, body, header('x-hub-signature-256') ?? '')
      : kind !== null && verifySlack(secret, body, signed, now))
  if (!isRight) throw new ReinError('forbidden', 'The signature of this webhook is not right.')
  return kind === 'github' ? readGithub(body, header) : readSlack(body, header)
}

/** As JSON, or as a form with the JSON in it. Only the body is signed: what happened, and whether it happened before, is told by that. */
const readGithub = (body: string, header: Header): Webhook => {
  const payload = parseObject(body) ?? parseObject(textOf(formOf(body)['payload']) ?? '') ?? {}
  if (textOf(payload['zen']) !== null && isObject(payload['hook'])) return { kind: 'nothing' }
  const event =
    githubEvents.find(([, ...fields]) => fields.every((field) => field in payload))?.[0] ??
    githubObjects.find((name) => isObject(payload[name])) ??
    'event'
  const action = textOf(payload['action'])
  const sender = isObject(payload['sender']) ? textOf(payload['sender']['login']) : null
  const content = cut(`GitHub ${event}${action === null ? '' : ` ${action}`}: ${JSON.stringify(payload)}`)
  const meta = { event, [deliveryField]: header('x-github-delivery') ?? null }
  return { kind: 'message', message: { content, ...named(sender, header('x-hub-signature-256')), meta } }
}

/** The fields that only a body of this event has; the first match counts. */
const githubEvents: readonly [event: string, ...fields: string[]][] = [
  ['pull_request_review_comment', 'comment', 'pull_request'],
  ['pull_request_review', 'review', 'pull_request'],
  ['issue_comment', 'comment', 'issue'],
  ['discussion_comment', 'comment', 'discussion'],
  ['commit_comment', 'comment'],
  ['deployment_status', 'deployment_status'],
  ['push', 'commits', 'ref'],
  ['create or delete', 'ref', 'ref_type'],
  ['status', 'sha', 'state', 'context'],
  ['fork', 'forkee'],
  ['wiki', 'pages'],
  ['star', 'starred_at'],
]
const githubObjects =
  'pull_request issue discussion release workflow_run workflow_job check_run check_suite deployment package milestone label alert member team project installation hook'.split(
    ' ',
  )

/** Events come as JSON, slash commands as a form. */
const readSlack = (body: string, header: Header): Webhook => {
  const payload = parseObject(body) ?? formOf(body)
  const challenge = payload['type'] === 'url_verification' ? textOf(payload['challenge']) : null
  if (challenge !== null) return { kind: 'challenge', answer: challenge }
  const event = isObject(payload['event']) ? payload['event'] : payload
  if (event['bot_id'] !== undefined) return { kind: 'nothing' }
  const command = textOf(payload['command'])
  const words = [...(command === null ? [] : [command]), textOf(event['text']) ?? JSON.stringify(payload)]
  const meta = {
    channel: textOf(event['channel']) ?? textOf(payload['channel_id']),
    thread: textOf(event['thread_ts']) ?? textOf(event['ts']),
  }
  const sender = textOf(event['user']) ?? textOf(payload['user_id'])
  // What has no id of its own is known by its signature, which covers its time.
  const key = textOf(payload['event_id']) ?? textOf(payload['trigger_id']) ?? header('x-slack-signature')
  return { kind: 'message', message: { content: cut(words.join(' ')), ...named(sender, key), meta } }
}

const formOf = (body: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(body))

const named = (sender: string | null, key: string | null | undefined) => ({
  ...(sender === null ? {} : { sender }),
  ...(key == null ? {} : { key }),
})

const cut = (text: string): string =>
  text.length > maxContent ? `${text.slice(0, maxContent).replace(/\p{Surrogate}$/u, '')}…` : text
