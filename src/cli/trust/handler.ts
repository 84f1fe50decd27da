import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { TrustListView, TrustRevokeView } from '../../contract/outputs/trust.ts'
import { requireConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted } from '../format.ts'
import { refuseAgents } from '../person-only.ts'
import { shownPath } from '../safe-text.ts'

export interface TrustFlags {
  list?: boolean
  revoke?: boolean
  yes?: boolean
}

export const run = async (context: CliContext, flags: TrustFlags & JsonFlag, named?: string): Promise<void> => {
  if (flags.list && (flags.revoke || named !== undefined))
    throw new ReinError('usage', '--list shows all directories.', 'Leave the others out.')
  if (flags.list) {
    const { readTrusted, trustFile } = await import('../../agents/trust/trusted.ts')
    const { state } = context.paths()
    const { texts, damaged } = await readTrusted(state)
    const places = texts.map(({ place }) => place).filter((place) => place !== '')
    const directories = [...new Set(places)].toSorted()
    if (flags.json) return context.out.document({ directories, damaged } satisfies TrustListView)
    for (const line of damaged)
      context.out.note(`Line ${line} of ${trustFile(state)} cannot be read, and makes nothing trusted.`)
    if (directories.length === 0) return context.out.line('No directory is trusted by `rein trust`.')
    for (const directory of directories) context.out.line(shownPath(directory))
    return
  }
  await refuseAgents(context, 'trust a directory')
  const { realpath } = await import('node:fs/promises')
  const wanted = path.resolve(context.cwd(), named ?? '')
  const directory = await realpath(wanted).catch(() => {
    throw new ReinError('not_found', `There is no directory ${wanted}.`)
  })
  return flags.revoke ? revoke(context, directory, flags) : add(context, directory, flags)
}

const revoke = async ({ out, paths }: CliContext, directory: string, { json }: JsonFlag): Promise<void> => {
  const { distrust } = await import('../../agents/trust/trusted.ts')
  const { firstTree } = await import('../../drivers/foreign.ts')
  const place = firstTree(directory)
  const revoked = await distrust(paths().state, place)
  if (json) return out.document({ directory: place, revoked } satisfies TrustRevokeView)
  out.line(revoked === 0 ? `${place} was not trusted.` : `${place} is not trusted any more; agents that run go on.`)
}

const add = async (
  context: CliContext,
  directory: string,
  { yes = false, json }: TrustFlags & JsonFlag,
): Promise<void> => {
  const { out, env, paths } = context
  const { lookAt } = await import('./foreign-here.ts')
  const { firstTree } = await import('../../drivers/foreign.ts')
  const found = await lookAt(directory, env, paths())
  const waiting = found.filter(({ trustedBy }) => trustedBy === null)
  if (waiting.length > 0 && !yes) {
    const { linesOf } = await import('../../agents/trust/repository.ts')
    if (!json)
      for (const each of waiting) for (const line of [`${each.by}:`, ...linesOf(each, directory)]) out.line(line)
    const hint = 'Look at the files, then give --yes.'
    if (!(await requireConfirmed(context, { json }, 'May all of this run from now on?', hint)))
      return out.note('Nothing was trusted.')
  }
  const { trust } = await import('../../agents/trust/trusted.ts')
  // Trusts what was shown, even if the files have changed since.
  if (waiting.length > 0) await trust(paths().state, waiting)
  if (json)
    return out.document({
      directory: firstTree(directory),
      items: found.flatMap(({ items, by, trustedBy }) =>
        items.map((item) => ({ ...item, by, trustedBy: trustedBy ?? 'rein' })),
      ),
    })
  const count = waiting.flatMap(({ items }) => items).length
  out.line(
    count === 0
      ? found.length === 0
        ? `Nothing in ${directory} runs by itself.`
        : `All that runs by itself in ${directory} is trusted.`
      : `${counted(count, 'thing')} in ${directory} trusted as they are now.`,
  )
}
