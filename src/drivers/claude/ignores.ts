import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from '../../base/util/json.ts'
import { configDirectory } from './transcript.ts'

/** Claude Code skips a settings file that is no strict JSON without a word, and runs no hook at all where one of them says so. */
export const ignores = (path: string, env: NodeJS.ProcessEnv): string | null => {
  if (!['settings.json', 'settings.local.json'].includes(basename(path))) return null
  const text = read(path)
  if (text !== null && parse(text) === null)
    return 'Claude Code ignores this file: it is no strict JSON. Take out its comments and trailing commas.'
  const off = fileThatDecides(path, env)
  return off === null ? null : `Claude Code runs no hooks: "disableAllHooks" is true in ${off}.`
}

/** The first file that says anything about it counts, the most special one first; null if that is no "yes". */
const fileThatDecides = (path: string, env: NodeJS.ProcessEnv): string | null => {
  const beside = (name: string): string => join(dirname(path), name)
  const files = [beside('settings.local.json'), beside('settings.json'), join(configDirectory(env), 'settings.json')]
  const said = files.map((file) => ({ file, isOff: parse(read(file) ?? '')?.['disableAllHooks'] }))
  const first = said.find(({ isOff }) => typeof isOff === 'boolean')
  return first?.isOff === true ? first.file : null
}

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return null
  }
}

const parse = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
