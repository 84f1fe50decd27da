import { readRegistration } from '../../client/registration.ts'
import { logFileOf } from '../../base/util/paths.ts'
import type { CliContext } from '../context.ts'
import { loadSettings } from '../settings.ts'

/** Where the daemon writes its log: as these settings say, or as the last daemon said, which may have been started with others. */
export const daemonLog = async (context: CliContext): Promise<string> => {
  const paths = context.paths()
  const config = await loadSettings(context, context.cwd()).catch(() => null)
  const chosen = config?.['log.file'].value ?? null
  return chosen === null ? (readRegistration(paths.registration)?.log ?? paths.log) : logFileOf(paths, chosen)
}
