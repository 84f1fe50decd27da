import { userInfo } from 'node:os'
import type { Client } from '../../../client/client.ts'
import type { TellRequest, Told } from '../../../contract/api-types.ts'
import type { Priority, Receipt } from '../../../contract/directive.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { complain } from '../../exit.ts'
import { headline, stepLine } from '../../receipt-text.ts'
import { readTextInput } from '../../text-input.ts'

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
    throw new ReinError('usage', '--timeout says how long to --wait: give both.')
  const client = connect()
  const told = await client.tell(await toRequest(context, flags, target, text))
  if (!flags.json) out.line(`${headline(told, out.style)}\n${told.delivery}`)
  const receipt = flags.wait === undefined ? told : await waitFor(context, client, told, flags)
  if (flags.json) out.document({ ...told, ...receipt })
  if (flags.wait !== undefined) judge(context, receipt, flags.wait, flags.timeout ?? usualTimeoutMs)
}

const toRequest = async (context: CliContext, flags: TellFlags, target: string, text: string): Promise<TellRequest> => {
  const { v7 } = await import('uuid')
  return {
    target,
    cwd: context.cwd(),
    // Chosen here, so that a request that has to be repeated is still one directive.
    id: `dir_${v7()}`,
    text: await readTextInput(text, context.stdin),
    type: flags.type,
    priority: flags.priority,
    from: flags.from ?? context.env['USER'] ?? userInfo().username,
    expiresInMs: flags.expires ?? null,
  }
}

/** Shows the steps as they come; returns the receipt as it was at the end of the waiting. */
const waitFor = async (
  context: CliContext,
  client: Client,
  told: Told,
  flags: TellFlags & JsonFlag,
): Promise<Receipt> => {
  const { out, now } = context
  const signal = AbortSignal.timeout(flags.timeout ?? usualTimeoutMs)
  let receipt: Receipt = told
  for await (const next of client.follow(told.id, flags.wait ?? 'closed', signal)) {
    if (!flags.json)
      for (const step of next.steps.slice(receipt.steps.length)) out.line(stepLine(step, now(), out.style))
    receipt = next
  }
  return receipt
}

/** The result is printed by now; what is missing in it is said on the side. */
const judge = ({ out, exitWith }: CliContext, receipt: Receipt, wanted: WaitState, timeoutMs: number): void => {
  if (reachedBy[wanted].includes(receipt.state)) return
  const error = isOver(receipt)
    ? new ReinError('failed', `The directive ended as ${receipt.state} before it was ${wanted}.`)
    : new ReinError(
        'not_in_time',
        `Not ${wanted} within ${timeoutMs / 1000} s; the directive stays ${receipt.state}.`,
        `Go on waiting with \`rein receipt ${receipt.id} --follow\`, or \`rein cancel ${receipt.id}\`.`,
      )
  complain(out, error)
  exitWith(error.exitCode)
}

const isOver = ({ state }: Receipt): boolean => ['acked', 'expired', 'cancelled', 'failed'].includes(state)
