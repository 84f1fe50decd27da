import { v7 } from 'uuid'
import type { Client } from '../../client/client.ts'
import type { Told } from '../../contract/routes/directives.ts'
import type { Priority, Receipt } from '../../contract/directive.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { personName } from '../../contract/person.ts'
import { shortId } from '../../contract/ids.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { complain } from '../exit.ts'
import { noteBrokenSettings } from '../stale-settings.ts'
import { headline, stepLine } from './text.ts'
import { readTextInput } from '../text-input.ts'

type WaitState = 'placed' | 'seen' | 'acked'

export interface TellFlags {
  type?: string
  priority?: Priority
  from?: string
  expires?: number
  wait?: WaitState
  timeout?: number
}

const usualTimeoutMs = 600_000
const reachedBy: Record<WaitState, string[]> = {
  placed: ['placed', 'seen', 'acked'],
  seen: ['seen', 'acked'],
  acked: ['acked'],
}

export const run = async (
  context: CliContext,
  flags: TellFlags & JsonFlag,
  target: string,
  text: string,
): Promise<void> => {
  const { connect, out } = context
  if (flags.timeout !== undefined && flags.wait === undefined)
    throw new ReinError(
      'usage',
      '--timeout says how long to --wait: give both.',
      'Like this: --wait seen --timeout 10m',
    )
  const client = connect()
  const told = await client.tell({
    target,
    cwd: context.cwd(),
    // Chosen here, so that a request that has to be repeated is still one directive.
    id: `dir_${v7()}`,
    text: await readTextInput(text, context.stdin),
    type: flags.type,
    priority: flags.priority,
    from: flags.from ?? personName,
    expiresInMs: flags.expires ?? null,
  })
  await noteBrokenSettings(context)
  if (!flags.json) out.line(`${headline(told, out.style)}\n${told.delivery}`)
  const waited = flags.wait === undefined ? { receipt: told } : await waitFor(context, client, told, flags.wait, flags)
  if (flags.json) out.document({ ...told, ...waited.receipt })
  if (waited.failure === undefined) return
  complain(out, waited.failure)
  context.exitWith(waited.failure.exitCode)
}

interface Waited {
  receipt: Receipt
  failure?: ReinError
}

/** Shows the steps as they come. The directive is accepted by now, so whatever goes wrong, its receipt is the result. */
const waitFor = async (
  { out, now }: CliContext,
  client: Client,
  told: Told,
  wanted: WaitState,
  { json, timeout = usualTimeoutMs }: TellFlags & JsonFlag,
): Promise<Waited> => {
  let receipt: Receipt = told
  try {
    for await (const next of client.follow({ id: told.id, until: wanted }, AbortSignal.timeout(timeout))) {
      if (!json)
        for (const step of next.steps.slice(receipt.steps.length))
          out.line(stepLine(step, { now: now(), style: out.style }))
      receipt = next
    }
  } catch (cause) {
    return { receipt, failure: stillWaiting(receipt, asReinError(cause)) }
  }
  if (reachedBy[wanted].includes(receipt.state)) return { receipt }
  const failure = ['acked', 'expired', 'cancelled', 'failed'].includes(receipt.state)
    ? new ReinError('failed', `The directive ended as ${receipt.state} before it was ${wanted}.`)
    : stillWaiting(receipt, new ReinError('not_in_time', `Not ${wanted} within ${timeout / 1000} s.`))
  return { receipt, failure }
}

const stillWaiting = ({ id, state }: Receipt, { code, message }: ReinError): ReinError =>
  new ReinError(
    code,
    `${message} The directive stays ${state}.`,
    `Keep waiting: rein receipt ${shortId(id)} --follow. Withdraw it: rein cancel ${shortId(id)}`,
  )
