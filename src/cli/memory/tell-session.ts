import { asReinError } from '../../contract/errors.ts'
import { briefly } from '../brief.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { block } from '../safe-text.ts'
import { toldSession } from './told.ts'

/** Does not hold up a shell: without a daemon it says nothing, and the first command reports the same. */
export const tellSession =
  (event: 'start' | 'end') =>
  async (context: CliContext, { json }: JsonFlag): Promise<void> => {
    const { connect, out } = context
    const told = await toldSession(context)
    try {
      const answer = await connect(briefly).shellSession({ ...told, event })
      if (json) out.document(answer)
      else if (event === 'start' && answer.primer !== null) out.line(block(answer.primer, out))
    } catch (cause) {
      const isAway = ['unavailable', 'not_in_time'].includes(asReinError(cause).code)
      if (json || !isAway) throw cause
    }
  }
