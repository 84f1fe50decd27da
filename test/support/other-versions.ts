/** Versions of the CLIs beside the pinned ones: each is installed from npm once, and kept. */
import { execFile } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cli, programOf } from './clis.ts'

const kept = join(import.meta.dirname, '../../node_modules/.cache/rein/clis')

/** The program of a published version. */
export const installVersion = async (cli: Cli, version: string): Promise<string> => {
  const directory = join(kept, `${cli.name}-${version}`)
  if (!existsSync(directory)) await install(`${cli.package}@${version}`, directory)
  return programOf(cli, join(directory, 'node_modules'))
}

/** Made aside and renamed: what is there is whole. */
const install = async (spec: string, directory: string): Promise<void> => {
  const making = `${directory}.${process.pid}`
  const args = ['install', '--prefix', making, '--no-save', '--no-audit', '--no-fund', '--no-progress', spec]
  try {
    await promisify(execFile)('npm', args)
    if (!existsSync(directory)) renameSync(making, directory)
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    if (/\b(ETARGET|E404)\b/.test(stderr)) throw new Error(`${spec} was never published.`, { cause })
    throw new Error(`npm could not install ${spec}:\n${stderr.trim()}`, { cause })
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}
