import type { PairStarted } from '../../contract/routes/web.ts'
import type { Scope } from '../../contract/scope.ts'
import type { CliContext } from '../context.ts'
import { joinLines } from '../format.ts'
import { showAnswer } from '../show-answer.ts'
import { qrWidth, renderQr } from './qr.ts'

interface Flags {
  scope?: Scope[]
  name?: string
  host?: string
}

const usualScopes: Scope[] = ['read', 'tell', 'answer']

export const run = showAnswer(
  ({ connect }, { scope: scopes = usualScopes, name, host }: Flags) =>
    connect().pairStart({
      scopes,
      ...(name === undefined ? {} : { name }),
      ...(host === undefined ? {} : { host }),
    }),
  (started, context) => pairText(started, context),
)

const pairText = ({ url, scopes }: PairStarted, { out, env }: Pick<CliContext, 'out' | 'env'>): string => {
  const { columns } = out
  const isShown = columns !== undefined && env['TERM'] !== 'dumb'
  return joinLines(
    isShown && columns >= qrWidth(url) && renderQr(url),
    isShown && columns < qrWidth(url) && 'This terminal is too narrow for the QR code.',
    url,
    `One device, once, within 5 minutes. It may: ${scopes.join(', ')}.`,
    url.startsWith('http://127.0.0.1:') &&
      'Only this machine reaches 127.0.0.1. For a phone, set up a way to this machine first: rein docs web',
  )
}
