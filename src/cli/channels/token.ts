import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingSocket } from '../../client/registration.ts'
import type { TokenView } from '../../contract/routes/channels.ts'
import { ReinError } from '../../contract/errors.ts'
import { quoted } from '../../base/util/shell.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { joinLines } from '../format.ts'

export interface TokenFlags {
  renew?: boolean
  signature?: 'github' | 'slack' | 'none'
  secret?: string
}

export const run = async (context: CliContext, flags: TokenFlags & JsonFlag, name: string): Promise<void> => {
  const { connect, cwd, out, paths } = context
  const { renew, signature, secret, json } = flags
  const made = await connect().channelToken({
    name,
    renew,
    signature: signature === 'none' ? null : signature,
    secret: secret === undefined ? undefined : readSecret(path.resolve(cwd(), secret)),
  })
  if (json) out.document(made)
  else out.line(tokenText(made, servingSocket(paths())))
}

/** From a file: an argument can be read by everybody on the machine. */
const readSecret = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ReinError('not_found', `The secret cannot be read: ${(cause as Error).message}`)
  }
}

/** The socket first: while no daemon runs, another user may have its port, and would be told the token. */
const tokenText = ({ url, token, signature, secret }: TokenView, socket: string): string =>
  joinLines(
    `curl --unix-socket ${quoted(socket)} -H 'Authorization: Bearer ${token}' --data-binary 'Hello' ${onSocket(url)}`,
    'For others on this machine:',
    `curl -H 'Authorization: Bearer ${token}' --data-binary 'Hello' ${url}`,
    signature !== null && `Webhooks signed as by ${signature} are taken, too.`,
    secret !== null && `Their secret: ${secret}`,
  )

const onSocket = (url: string): string => `http://rein${new URL(url).pathname}`
