import { readFileSync } from 'node:fs'
import type { PathsView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import { parseObject } from '../../base/util/json.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { daemonLog } from '../daemon/daemon-log.ts'

export const run = async (context: CliContext, { json }: JsonFlag, wanted?: string): Promise<void> => {
  const { out, paths } = context
  const { state, runtime, config, socket, endpoint } = paths()
  const view: PathsView = { state, runtime, config, socket, port: readPort(endpoint), log: await daemonLog(context) }
  if (json) out.document(view)
  else if (wanted !== undefined) out.line(String(named(view, wanted) ?? '-'))
  else for (const [name, value] of Object.entries(view)) out.line(`${name.padEnd(8)} ${value ?? '-'}`)
}

const named = (view: PathsView, name: string): PathsView[keyof PathsView] => {
  if (Object.hasOwn(view, name)) return view[name as keyof PathsView]
  throw new ReinError('usage', `There is no path "${name}".`, `Possible: ${Object.keys(view).join(', ')}.`)
}

const readPort = (endpoint: string): number | null => {
  const port = parseObject(readText(endpoint))?.['port']
  return typeof port === 'number' ? port : null
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
