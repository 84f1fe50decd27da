import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import { parseObject, textOf } from '../../base/util/json.ts'

const askLimitMs = 30_000
const installLimitMs = 15 * 60_000

/** npm, which is a script: it runs with the Node that runs this. */
const npm = (args: string[], timeout: number): Promise<{ stdout: string }> =>
  promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { timeout })

/** The newest version on npm. Throws if the package of that name there is not this one. */
export const askNewest = async (root: string): Promise<string> => {
  const { stdout } = await npm(['view', 'rein@latest', 'version', 'repository.url', '--json'], askLimitMs)
  const found = parseObject(stdout)
  const own = parseObject(readFileSync(join(root, 'package.json'), 'utf8'))?.['repository'] as
    | { url?: unknown }
    | undefined
  const source = textOf(own?.url)
  if (source === null)
    throw new Error('this package names no repository, so a package "rein" there cannot be told from another one')
  const version = textOf(found?.['version'])
  if (version === null || textOf(found?.['repository.url']) !== source)
    throw new Error('the package "rein" there is not this one')
  return version
}

/** Installs into the prefix in which this package lies, whatever npm's own prefix is now. */
export const installVersion = async (root: string, version: string): Promise<void> => {
  const prefix = join(root, '../../..')
  try {
    await npm(['install', '--global', '--prefix', prefix, `rein@${version}`, '--loglevel=error'], installLimitMs)
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { stderr?: string }
    throw new ReinError(
      'failed',
      `npm could not install rein ${version}: ${lastLine(stderr) ?? message}`,
      `See all that npm says: npm install --global --prefix ${prefix} rein@${version}`,
    )
  }
}

/** npm ends with where its log is; the line before says what went wrong. */
const lastLine = (text: string): string | undefined =>
  text
    .split('\n')
    .map((line) => line.replace(/^npm error /, '').trim())
    .findLast((line) => line !== '' && !line.startsWith('A complete log'))
