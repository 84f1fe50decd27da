import { spawn } from 'node:child_process'
import { userInfo } from 'node:os'
import { scopes } from '../../contract/scopes.ts'
import type { Env } from '../../client/agent-env.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { joinLines } from '../format.ts'

export const run = async (
  { connect, env, out }: CliContext,
  { url: isPrinted = false, json }: { url?: boolean } & JsonFlag,
): Promise<void> => {
  const browser = isPrinted || json ? null : findBrowser(env, process.platform)
  // The daemon says over its own socket which port is its: another program may have taken the one of yesterday.
  // This is the browser of the person who has the whole machine.
  const pairing = { scopes: [...scopes], host: '127.0.0.1', opener: browser !== null }
  const started = await connect().pairStart(pairing)
  if (json) return out.document(started)
  const { url, opener } = started
  const isOpened = browser !== null && opener !== null && (await runs(browser, opener))
  if (isOpened) return out.line(`The page opens in your browser. If it does not, open this within 5 minutes:\n${url}`)
  out.line(url)
  out.hint(
    joinLines(
      'Open it within 5 minutes; it pairs one browser.',
      env['SSH_CONNECTION'] !== undefined && tunnelHint(url, env['SSH_CONNECTION']),
    ),
  )
}

/** By the address at which ssh reached this machine: its own name may mean nothing elsewhere. */
const tunnelHint = (url: string, connection: string): string | false => {
  const { port } = new URL(url)
  const [, , address, sshPort] = connection.split(' ')
  if (address === undefined) return false
  const at = `${sshPort === '22' ? '' : `-p ${sshPort} `}${userInfo().username}@${address}`
  return `From the machine that you sit at: ssh -N -L ${port}:127.0.0.1:${port} ${at}`
}

/** The program that opens a file in the browser; null where no browser can show. */
export const findBrowser = (env: Env, platform: NodeJS.Platform): string | null => {
  if (platform === 'darwin') return 'open'
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null
}

const runs = (program: string, file: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
