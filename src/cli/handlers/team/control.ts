import { ReinError } from '../../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { complain } from '../../exit.ts'
import { controlTable } from '../../team-text.ts'

export interface ControlFlags {
  agent?: string
}

export const run = async (
  context: CliContext,
  { agent: target, json }: ControlFlags & JsonFlag,
  line?: string,
): Promise<void> => {
  const { connect, out, cwd, now } = context
  const where = { cwd: cwd(), target }
  const said = line === undefined ? await connect().controls(where) : await connect().control({ ...where, line })
  if (json) out.document(said)
  else out.line(controlTable(said, now()))
  const error = line === undefined ? null : said.at(-1)?.error
  if (error == null) return
  const failure = new ReinError('usage', error)
  if (!json) complain(out, failure)
  context.exitWith(failure.exitCode)
}
