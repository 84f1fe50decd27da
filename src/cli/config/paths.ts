import { readFile } from 'node:fs/promises'
import type { PathsView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import { parseObject } from '../../base/util/json.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { daemonLog } from '../daemon/daemon-log.ts'

export const run = async (context: CliContext, { json }: JsonFlag, wanted?: string): Promise<void> => {
  const { out, paths } = context
  const { state, runtime, config, socket, endpoint } = paths()
  const port = parseObject(await readFile(endpoint, 'utf8').catch(() => ''))?.['port']
  const log = await daemonLog(context)
  const view: PathsView = { state, runtime, config, socket, port: typeof port === 'number' ? port : null, log }
  if (json) return out.document(view)
  if (wanted !== undefined && !Object.hasOwn(view, wanted))
    throw new ReinError('usage', `There is no path "${wanted}".`, `Possible: ${Object.keys(view).join(', ')}.`)
  if (wanted !== undefined) return out.line(String(view[wanted as keyof PathsView] ?? '-'))
  for (const [name, value] of Object.entries(view)) out.line(`${name.padEnd(8)} ${value ?? '-'}`)
}
