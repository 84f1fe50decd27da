import { resolve } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { wasteText } from './eval-text.ts'
import { shownPath } from '../safe-text.ts'

export const run = async ({ cwd, out }: CliContext, { json }: JsonFlag, ...given: string[]): Promise<void> => {
  const paths = given.map((file) => resolve(cwd(), file))
  if (paths.length === 0)
    throw new ReinError('usage', 'Which transcripts?', 'Give files or directories, like ~/.claude/projects.')
  const { wasteIn } = await import('../../features/memory/figures/waste-in.ts')
  const failures: string[] = []
  const waste = await wasteIn(paths, ({ path, transcripts, commands, failure }) => {
    out.status(`Reading: ${transcripts} transcripts, ${commands} commands`)
    if (failure !== null) failures.push(`${shownPath(path)}: ${failure}`)
  }).finally(() => out.status(''))
  const [first, ...others] = failures
  if (waste.commands === 0 && first !== undefined)
    throw new ReinError(
      'not_found',
      `No transcript could be read: ${first}${others.length === 0 ? '' : `, and ${others.length} more`}`,
    )
  for (const failure of failures) out.note(`rein: ${failure}`)
  if (json) out.document(waste)
  else out.line(wasteText(waste, out))
}
