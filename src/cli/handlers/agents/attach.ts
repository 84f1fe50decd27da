import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CliContext, JsonFlag } from '../../context.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd, env, exitWith } = context
  const view = await connect().attach({ target, cwd: cwd() })
  if (json) return out.document(view)
  const [program = '', ...args] = view.command
  // Inside a tmux of the user's, the agent's own server is another one.
  const { TMUX: _, ...outside } = env
  const child = spawn(program, args, { stdio: 'inherit', env: outside })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) exitWith(1)
}
