import path from 'node:path'
import { checkSetting, setSetting } from '../../base/config/set.ts'
import { briefly } from '../brief.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { refuseAgents, refuseKnownAgents } from '../person-only.ts'
import { loadItems } from '../settings.ts'

export const run = async (context: CliContext, { json }: JsonFlag, key: string, value: string): Promise<void> => {
  const { out, paths } = context
  checkSetting(key, value)
  // Settings are also made where nobody sits and no daemon runs yet; what switches rules off is not.
  await (key.startsWith('rules.') ? refuseAgents : refuseKnownAgents)(context, 'change settings')
  await setSetting(paths().config, key, key.endsWith('.path') ? programAt(context.cwd(), value) : value)
  const item = (await loadItems(context)).find((each) => each.key === key)
  if (json) out.document(item)
  else out.line(`${key} = ${String(item?.value ?? '-')} in ${paths().config}`)
  if (await isRunning(context))
    out.hint('It takes effect when the daemon starts again: rein daemon stop (agents go on).')
}

/** The daemon runs elsewhere. A mere name is looked for on the PATH. */
const programAt = (cwd: string, given: string): string => (given.includes('/') ? path.resolve(cwd, given) : given)

/** Settings are read once, when a daemon starts. */
const isRunning = ({ connect }: CliContext): Promise<boolean> =>
  connect(briefly)
    .hello()
    .then(() => true)
    .catch(() => false)
