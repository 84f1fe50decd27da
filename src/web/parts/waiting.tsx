import { ReinError } from '../../contract/errors.ts'
import { connection } from '../link/api.ts'
import { Empty } from './page.tsx'
import { shown } from './text.ts'

/** Instead of something that did not come yet: why not. Nothing while it is under way, so that nothing flickers. */
export const Waiting = ({ error = null }: { error?: Error | null }) => {
  if (error !== null)
    return (
      <p class="notice notice-bad" role="alert">
        {shown(error.message)} {error instanceof ReinError ? shown(error.hint ?? '') : null}
      </p>
    )
  return connection.value === 'offline' ? (
    <Empty title="No connection to Rein.">
      It is tried again by itself. If Rein does not run, start it with any command: <code>rein ps</code>
    </Empty>
  ) : null
}
