import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { isInstalled } from './host.ts'
import { view } from '../tui/attach/viewer.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd } = context
  const where = await connect().attach({ target, cwd: cwd() })
  if (json) return out.document(where)
  if (where.keeper !== null) {
    const end = await view(where.keeper, { isOwner: false, name: target.replace(/^.*\//, '') })
    return out.note(end.kind === 'exit' ? `[ended with exit code ${end.code}]` : '[detached]')
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new ReinError(
      'refused',
      'Attaching needs a terminal.',
      `Read what an agent does: rein logs ${target} --follow\nRead what a task did: rein story ${target}`,
    )
  const [program = '', ...args] = where.command ?? []
  if (!isInstalled(program, context.env['PATH'] ?? ''))
    throw new ReinError(
      'not_found',
      `${program} is not on your PATH, and ${target} runs in it.`,
      `Read what an agent does: rein logs ${target} --follow\nRead what a task did: rein story ${target}\nCheck what is missing: rein doctor`,
    )
  // Within the person's own tmux, TMUX would make tmux refuse to be nested.
  const { TMUX: _, ...env } = context.env
  const [code] = (await once(spawn(program, args, { stdio: 'inherit', env }), 'exit')) as [number | null]
  if (code !== 0) context.exitWith(1)
}
