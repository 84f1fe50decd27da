import path from 'node:path'
import { isExecutable } from '../../base/util/executable.ts'
import type { OwnHost } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'

const kinds: readonly OwnHost[] = ['tmux', 'pty', 'stream']

export const namedHost = (name: string): OwnHost => {
  const kind = kinds.find((one) => one === name)
  if (kind !== undefined) return kind
  throw new ReinError('unsupported_option', `There is no host "${name}".`, `Possible: ${kinds.join(', ')}.`)
}

/** The default host: tmux where it is installed, as it offers more. */
export const usualHost = (setting: 'auto' | OwnHost, env: Record<string, string | undefined>): OwnHost => {
  if (setting !== 'auto') return setting
  return isInstalled('tmux', env['PATH'] ?? '') ? 'tmux' : 'pty'
}

export const isInstalled = (program: string, searchPath: string): boolean =>
  searchPath.split(path.delimiter).some((dir) => dir !== '' && isExecutable(path.join(dir, program)))
