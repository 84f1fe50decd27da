import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { HostKind } from '../contract/agent.ts'

/** Where an agent runs if nobody says it: tmux is known to many and has more to it, but not everybody has it. */
export const usualHost = (setting: 'auto' | HostKind, env: Record<string, string | undefined>): HostKind => {
  if (setting !== 'auto') return setting
  return isInstalled('tmux', env['PATH'] ?? '') ? 'tmux' : 'pty'
}

const isInstalled = (program: string, searchPath: string): boolean =>
  searchPath.split(path.delimiter).some((dir) => dir !== '' && isExecutable(path.join(dir, program)))

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
