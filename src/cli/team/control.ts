import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { controlTable } from './text.ts'

export interface ControlFlags {
  agent?: string
}

export const run = async (
  { connect, out, cwd, now }: CliContext,
  { agent: target, json }: ControlFlags & JsonFlag,
  line?: string,
): Promise<void> => {
  if (line?.trim() === '')
    throw new ReinError('usage', 'There is nothing in this line.', 'Without a line: what was written so far.')
  const where = { cwd: cwd(), target }
  const said = line === undefined ? await connect().controls(where) : await connect().control({ ...where, line })
  if (json) out.document(said)
  else out.line(controlTable(said, now()))
}
