import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { quoted } from '../base/util/shell.ts'
import { isInstalled } from './agents/host.ts'

/** How this program can be typed in any directory: `rein` where the PATH leads to it, else the path of its file. */
export const ownCommand = (program: string, path = ''): string => {
  const own = realOf(program)
  const found = path.split(delimiter).find((directory) => isInstalled('rein', directory))
  // npx puts its copy on the PATH of that one command.
  const isKept = !own.includes('/_npx/')
  if (isKept && found !== undefined && realOf(join(found, 'rein')) === own) return 'rein'
  return /^[\w./-]+$/.test(own) ? own : quoted(own)
}

const realOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
