import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isOlder } from '../../client/semver.ts'
import type { InstallationView, UpgradeView } from '../../contract/outputs/installation.ts'
import { version } from '../../base/util/version.ts'
import { briefly } from '../brief.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { refuseAgents } from '../person-only.ts'
import { findInstallation } from './installation.ts'
import { askNewest, installVersion } from './npm.ts'
import { upgradeText } from './text.ts'

export interface UpgradeFlags {
  check?: boolean
}

export const run = async (context: CliContext, { check = false, json }: UpgradeFlags & JsonFlag): Promise<void> => {
  const { out } = context
  await refuseAgents(context, 'upgrade Rein')
  const installation = findInstallation()
  out.status('Asking npm for the newest version …')
  const known = await askNewest(installation.root).then(
    (newest) => ({ newest, why: null }),
    (cause: unknown) => ({ newest: null, why: describeFailure(cause) }),
  )
  out.status('')
  const { newest } = known
  const isPossible = installation.manager === 'npm' && newest !== null && isOlder(version, newest)
  const done =
    isPossible && !check
      ? await upgrade(context, installation, newest)
      : { upgraded: false, daemon: 'unchanged' as const }
  const view: UpgradeView = { installed: version, ...known, installation, ...done }
  if (json) out.document(view)
  else for (const line of upgradeText(view, { isChecked: check })) out.line(line)
}

/** A program that failed says why in its output, and a missing one in the message. */
const describeFailure = (cause: unknown): string => {
  const { code, message } = cause as { code?: unknown; message: string }
  if (code === 'ENOENT') return 'npm is not on the PATH'
  if (/E404/.test(message)) return 'npm has no package "rein"'
  return message.split('\n')[0] ?? message
}

/** The new program starts the new daemon: npm has replaced the files that this one would load. */
const upgrade = async (
  { out, connect }: CliContext,
  { root }: InstallationView,
  newest: string,
): Promise<Pick<UpgradeView, 'upgraded' | 'daemon'>> => {
  const isRunning = await connect({ ...briefly, start: false })
    .status()
    .then(
      () => true,
      () => false,
    )
  out.status(`Installing rein ${newest} …`)
  await installVersion(root, newest)
  if (isRunning) {
    out.status('Restarting the daemon; agents run on …')
    await promisify(execFile)(process.execPath, [join(root, 'bin/rein.cjs'), 'daemon', 'start'])
  }
  out.status('')
  return { upgraded: true, daemon: isRunning ? 'restarted' : 'not running' }
}
