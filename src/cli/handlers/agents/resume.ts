import { withoutAgent } from '../../../client/agent-env.ts'
import type { Resumed } from '../../../contract/api-types.ts'
import type { CliContext, JsonFlag } from '../../context.ts'
import { printable } from '../../format.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target?: string): Promise<void> => {
  const { connect, out, cwd, env, exitWith } = context
  const results = await connect().resume({
    ...(target === undefined ? {} : { target }),
    cwd: cwd(),
    env: withoutAgent(env),
  })
  if (json) out.document(results)
  else if (results.length === 0) out.line('Nothing to bring back.')
  else for (const result of results) out.line(resultLine(result))
  if (results.some(({ error }) => error !== null)) exitWith(1)
}

const resultLine = ({ handle, project, state, error }: Resumed): string =>
  error === null
    ? `${handle} (${project}) is back: ${state.replaceAll('_', ' ')}`
    : `${handle} (${project}) could not be brought back: ${printable(error)}`
