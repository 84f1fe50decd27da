import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { ImportView } from '../../contract/outputs/memory.ts'
import type { History, ImportedCommand } from '../../features/memory/import/history-file.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { addCounts } from './hand-over.ts'
import { importText } from './eval-text.ts'
import { shownPath } from '../safe-text.ts'

export interface ImportFlags {
  all?: boolean
  kind?: ImportedFile['kind']
}

type ImportedFile = ImportView['files'][number]

const batchSize = 500

export const run = async (
  context: CliContext,
  { all, kind, json }: ImportFlags & JsonFlag,
  ...given: string[]
): Promise<void> => {
  const { out, env, cwd } = context
  const named = given.map((file) => resolve(cwd(), file))
  const { usualHistories } = await import('../../features/memory/import/usual.ts')
  if (all && named.length > 0) throw new ReinError('usage', 'Name files, or give --all.')
  const usual = named.length > 0 ? [] : usualHistories(env, env['HOME'] || homedir())
  if (named.length === 0 && usual.length === 0)
    throw new ReinError('not_found', 'No history was found in the usual places.', 'Name a file.')
  if (named.length === 0 && !all) {
    if (json === true) return out.document({ files: [], found: usual } satisfies ImportView)
    out.line(`These can be read in; name some of them, or give --all:\n  ${usual.map(shownPath).join('\n  ')}`)
    return
  }
  const { openHistory } = await import('../../features/memory/import/history-file.ts')
  const files: ImportedFile[] = []
  const histories = [...named, ...usual].flatMap((place) => openHistory(place, kind))
  if (histories.length === 0)
    throw new ReinError('not_found', `No transcript was found in ${[...named, ...usual].map(shownPath).join(', ')}.`)
  for (const history of histories) files.push(await imported(context, history))
  out.status('')
  if (json) out.document({ files, found: [] } satisfies ImportView)
  else out.line(importText(files, out.columns))
}

const imported = async (
  { connect, cwd, out }: CliContext,
  { path, kind, commands }: History,
): Promise<ImportedFile> => {
  const file: ImportedFile = { path, kind, commands: 0, taken: 0, known: 0, refused: 0, secrets: 0 }
  const client = connect()
  let batch: ImportedCommand[] = []
  const handOver = async (): Promise<void> => {
    if (batch.length > 0) {
      file.commands += batch.length
      addCounts(
        file,
        await client.ingest({
          cwd: cwd(),
          commands: batch.map((command) => ({ ...command, source: 'import' as const })),
        }),
      )
    }
    batch = []
    out.status(`${shownPath(path)}: ${file.commands} commands`)
  }
  for await (const command of commands()) if (batch.push(command) === batchSize) await handOver()
  await handOver()
  return file
}
