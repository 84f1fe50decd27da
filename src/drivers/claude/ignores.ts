import { basename, dirname, join } from 'node:path'
import { parseObject } from '../../base/util/json.ts'
import { readText } from '../files.ts'
import { configDirectory } from './transcript.ts'

/** Claude Code skips a settings file that is no strict JSON without a word, and runs no hook at all where one of them says so. */
export const ignores = (path: string, env: NodeJS.ProcessEnv): string | null => {
  if (!['settings.json', 'settings.local.json'].includes(basename(path))) return null
  const text = readText(path)
  if (text !== null && parseObject(text) === null)
    return 'Claude Code ignores this file: it is no strict JSON. Take out its comments and trailing commas.'
  // The first file with the setting counts, the most specific file first.
  const beside = (name: string): string => join(dirname(path), name)
  const files = [beside('settings.local.json'), beside('settings.json'), join(configDirectory(env), 'settings.json')]
  const said = files.map((file) => ({ file, isOff: parseObject(readText(file) ?? '')?.['disableAllHooks'] }))
  const first = said.find(({ isOff }) => typeof isOff === 'boolean')
  return first?.isOff === true ? `Claude Code runs no hooks: "disableAllHooks" is true in ${first.file}.` : null
}
