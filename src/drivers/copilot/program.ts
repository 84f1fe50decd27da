import { createRequire } from 'node:module'
import { orNull, realPath } from '../files.ts'

/** The package of npm is a small program that starts the real one and leaves it behind when it is ended: the real one is started itself. */
export const programBehind = (path: string): string => {
  const real = realPath(path)
  if (!real.endsWith('.js')) return path
  const names = process.platform === 'linux' ? ['linux', 'linuxmusl'] : [process.platform]
  for (const name of names) {
    const program = orNull(() => createRequire(real).resolve(`@github/copilot-${name}-${process.arch}`))
    if (program !== null) return program
  }
  return path
}
