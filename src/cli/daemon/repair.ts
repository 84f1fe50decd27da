import { fileURLToPath } from 'node:url'
import { withoutAgent } from '../../client/agent-env.ts'
import type { RepairView } from '../../contract/outputs/repair.ts'
import { type ErrorBody, ReinError } from '../../contract/errors.ts'
import { LineSplitter } from '../../base/util/line-splitter.ts'
import { requireConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { repairedText, repairText } from './repair-text.ts'

export const run = async (
  context: CliContext,
  flags: { dryRun?: boolean; fresh?: boolean; yes?: boolean } & JsonFlag,
): Promise<void> => {
  const { out, now, exitWith } = context
  const { dryRun = false, fresh = false, yes = false, json = false } = flags
  const found = await work<RepairView>(context, 'look')
  if (!json) out.line(repairText(found, now()))
  const isNeeded = fresh || found.state !== 'sound'
  if (json && (dryRun || !isNeeded)) out.document(found)
  if (dryRun) return exitWith(found.state === 'sound' ? 0 : 1)
  if (!isNeeded) return
  const question = fresh ? 'Begin anew, without agents, directives and sessions?' : 'Repair it?'
  const hint = 'Give --yes; --dry-run shows what would be done.'
  if (!yes && !(await requireConfirmed(context, flags, question, hint))) return out.note('Nothing was changed.')
  if (fresh) {
    const { kept } = await work<{ kept: string }>(context, 'fresh')
    if (json) context.out.document({ ...found, repaired: true, kept })
    else context.out.line(`The next daemon begins anew. What was there is in ${kept}`)
    return
  }
  const repaired = await work<RepairView>(context, 'repair')
  if (json) out.document(repaired)
  else out.line(repairedText(repaired))
}

const steps = {
  scan: 'Reading the database',
  copy: 'Reading the daily copy',
  rebuild: 'Making the tables of state anew',
  check: 'Checking the new database',
} as const

interface Progress {
  step: keyof typeof steps
  done: number
  of: number
}
type Line = { progress: Progress } | { result: unknown } | ErrorBody

/** In a process of its own: this one has neither SQLite nor the tables loaded. */
const work = async <T>({ env, out }: CliContext, action: 'look' | 'repair' | 'fresh'): Promise<T> => {
  const { spawn } = await import('node:child_process')
  // The build puts both into the same directory.
  const child = spawn(process.execPath, [fileURLToPath(new URL('./repair.js', import.meta.url)), action], {
    env: withoutAgent(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = new LineSplitter()
  let last: Line | null = null
  for await (const chunk of child.stdout)
    for (const text of lines.push(chunk as Buffer)) {
      last = JSON.parse(text) as Line
      out.status(
        'progress' in last
          ? `${steps[last.progress.step]} …${last.progress.of > 1 ? ` ${Math.floor((100 * last.progress.done) / last.progress.of)} %` : ''}`
          : '',
      )
    }
  if (last === null || 'progress' in last)
    throw new ReinError('failed', 'The repair was cut off; nothing is lost.', 'Start it again: rein daemon repair')
  if ('error' in last) throw ReinError.fromBody(last)
  return last.result as T
}
