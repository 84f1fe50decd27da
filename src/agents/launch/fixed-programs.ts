import { dirname } from 'node:path'
import type { Asset } from '../../drivers/contract.ts'
import { guardProgram } from '../../drivers/guard.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { quoted } from '../../base/util/shell.ts'
import { waitersDir } from './agent-env.ts'

interface Parts {
  paths: ReinPaths
  deadlineMs: number
}

/**
 * The programs of a launched agent with the places of this daemon written into them: a CLI may take variables for its
 * hooks from the project that it works in, and a guard looks where Rein says.
 */
export const fixPrograms = (assets: readonly Asset[], parts: Parts): Asset[] =>
  assets.map((asset) => {
    const lines = linesFor(asset.path, parts)
    return lines === null ? asset : { ...asset, content: asset.content.replace(/^#!.*\n/, (first) => first + lines) }
  })

const linesFor = (program: string, { paths, deadlineMs }: Parts): string | null => {
  const { socket, spool, guards } = paths
  if (program === guardProgram) return assigned({ REIN_GUARDS: guards, REIN_SOCKET: socket })
  if (program === 'rein-hook')
    return assigned({ REIN_SOCKET: socket, REIN_SPOOL: spool, REIN_HOOK_DEADLINE_MS: String(deadlineMs) })
  // Of the one agent: the last part of its directory is its id.
  if (program === 'rein-wait')
    return `case \${REIN_AGENT-} in '' | *[!A-Za-z0-9_-]*) exit 0 ;; esac\nREIN_WAITERS=${quoted(dirname(waitersDir(paths, 'any')))}/$REIN_AGENT\n`
  return null
}

const assigned = (variables: Record<string, string>): string =>
  `${Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ')}\n`
