import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingSocket } from '../../client/registration.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { quoted } from '../../base/util/shell.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { joinLines } from '../format.ts'

export const run = async (
  context: CliContext,
  flags: { renew?: boolean; signature?: 'github' | 'slack' | 'none'; secret?: string } & JsonFlag,
  name: string,
): Promise<void> => {
  const { connect, cwd, out, paths } = context
  const { renew, signature, secret, json } = flags
  const made = await connect().channelToken({
    name,
    renew,
    signature: signature === 'none' ? null : signature,
    secret: secret === undefined ? undefined : readSecret(path.resolve(cwd(), secret)),
  })
  if (json) out.document(made)
  else
    out.line(
      joinLines(
        `curl --unix-socket ${quoted(servingSocket(paths()))} -H 'Authorization: Bearer ${made.token}' --data-binary 'Hello' http://rein${new URL(made.url).pathname}`,
        'For others on this machine:',
        `curl -H 'Authorization: Bearer ${made.token}' --data-binary 'Hello' ${made.url}`,
        made.signature !== null && `Webhooks signed as by ${made.signature} are taken, too.`,
        made.secret !== null && `Their secret: ${made.secret}`,
      ),
    )
}

/** From a file: an argument can be read by everybody on the machine. */
const readSecret = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const { message, hint } = asReinError(cause)
    throw new ReinError('not_found', `The secret cannot be read. ${message}`, hint)
  }
}
