type Json = Record<string, unknown>

/** Forms of a request beside its card: added to the operation that the card gives. */
export interface Forms {
  description: string
  security?: Json[]
  parameters?: Json[]
  /** Bodies beside JSON, by their media type. */
  bodies?: Json
  /** Answers with status 200 beside that of the card, by their media type. */
  answers?: Json
  /** Answers with another status. */
  responses?: Json
}

const text = { type: 'string' }
const header = (name: string, description: string, schema: Json = text): Json => ({
  name,
  in: 'header',
  description,
  required: false,
  schema,
})

/** The daemon binds these two by hand, for it looks at more of them than their input. */
export const formsByHand: Record<string, Forms> = {
  receive: {
    description:
      'A message is JSON, plain text or a signed webhook of GitHub or Slack. Without a signature, a body whose media type does not contain `json` is the text itself. The token is that of the channel or of a person; on the port, a webhook has a signature instead of it.',
    security: [{ token: [] }, {}],
    parameters: [
      header('Idempotency-Key', 'the same key again is the same message; overrides `key`', {
        type: 'string',
        minLength: 1,
        maxLength: 200,
      }),
      header('X-Hub-Signature-256', 'of a webhook of GitHub'),
      header('X-Slack-Signature', 'of a webhook of Slack'),
      header('X-Slack-Request-Timestamp', 'of a webhook of Slack'),
    ],
    bodies: {
      'text/plain': { schema: text },
      'application/x-www-form-urlencoded': { schema: { type: 'object', description: 'a signed webhook' } },
    },
    answers: { 'text/plain': { schema: { type: 'string', description: 'the challenge of a signed webhook' } } },
    responses: { 204: { description: 'a signed webhook that says nothing to an agent' } },
  },
  turns: {
    description: 'The `data` of each event is one value of the schema, its `id` the `seq` of the turn.',
    parameters: [
      header('Last-Event-ID', 'the last event that was read; overrides `after`', {
        type: 'string',
        pattern: String.raw`^\d{1,15}$`,
      }),
    ],
  },
}
