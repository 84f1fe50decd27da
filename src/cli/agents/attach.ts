import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Attach } from '../../contract/routes/agents.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { view } from '../tui/attach/viewer.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd } = context
  const where = await connect().attach({ target, cwd: cwd() })
  if (json) return out.document(where)
  const code =
    where.keeper === null ? await showTmux(context, where.command ?? []) : await showKept(context, where.keeper)
  if (code !== 0) context.exitWith(1)
}

const showTmux = async ({ env }: CliContext, [program = '', ...args]: string[]): Promise<number> => {
  // Inside a tmux of the user's, the agent's own server is another one.
  const { TMUX: _, ...outside } = env
  const child = spawn(program, args, { stdio: 'inherit', env: outside })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

const showKept = async ({ out }: CliContext, keeper: NonNullable<Attach['keeper']>): Promise<number> => {
  const end = await view(keeper, { isOwner: false })
  out.note(end.kind === 'exit' ? `[ended with exit code ${end.code}]` : '[detached]')
  return 0
}
