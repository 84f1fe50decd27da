import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { isObject } from '../util/json.ts'
import { shown } from '../util/shown.ts'
import { findSetting, meantSetting } from './lookup.ts'
import { settings, type Setting, type SettingKey, type SettingValue } from './settings.ts'
import { findKey, fixHint, readTomlFile, type TomlFile } from './toml-file.ts'
import { type Checked, checkValue, parseValue, type Value } from './value.ts'

export interface ConfigSources {
  paths: { config: string }
  /** Its `.rein/config.toml` is read, but not trusted. */
  projectDir?: string | undefined
  env: Record<string, string | undefined>
  flags?: Partial<Record<SettingKey, string>>
}

interface Resolved<V = Value> {
  value: V
  source: 'default' | 'user' | 'project' | 'env' | 'flag'
  file?: string
  line?: number
}

export type Config = { [Key in SettingKey]: Resolved<SettingValue<Key>> }

interface LoadedConfig {
  config: Config
  warnings: string[]
}

/** What one source says of one setting. */
interface Statement {
  setting: Setting
  given: unknown
  checked: Checked
  /** Where to look when it is wrong. */
  place: string
  from: Omit<Resolved, 'value'>
}

type FileSource = 'user' | 'project'

/** Every setting with its value and where that comes from; all that is wrong is one error. */
export const loadConfig = async ({ paths, projectDir, env, flags = {} }: ConfigSources): Promise<LoadedConfig> => {
  const user = await readFile(paths.config, 'user')
  const project =
    projectDir === undefined ? nothing : await readFile(path.join(projectDir, '.rein/config.toml'), 'project')
  const statements = [
    ...user.statements,
    ...project.statements,
    // An empty variable is the usual way to unset one.
    ...readTexts('env', (setting) => ({ place: setting.env, given: env[setting.env] || undefined })),
    ...readTexts('flag', ({ key }) => ({ place: key, given: flags[key] })),
  ]
  const problems = statements.flatMap(({ place, checked, given }) =>
    checked.ok ? [] : [`${place} must be ${checked.expected}, not ${shown(given)}.`],
  )
  if (problems.length > 0) throw new ReinError('invalid_config', problems.join('\n'), fixHint)
  // The last one to speak of a setting decides.
  const defaults = settings.map((setting): [string, Resolved] => [
    setting.key,
    { value: setting.default, source: 'default' },
  ])
  const said = statements.flatMap(({ setting, checked, from }): [string, Resolved][] =>
    checked.ok ? [[setting.key, { value: checked.value, ...from }]] : [],
  )
  return {
    config: Object.fromEntries([...defaults, ...said]) as Config,
    warnings: [...user.warnings, ...project.warnings],
  }
}

interface FileReading {
  statements: Statement[]
  warnings: string[]
}

const nothing: FileReading = { statements: [], warnings: [] }

const readFile = async (file: string, source: FileSource): Promise<FileReading> => {
  const toml = await readTomlFile(file)
  const found = toml === null ? [] : leaves(toml.data).map(([keyPath, value]) => readLeaf(toml, keyPath, value, source))
  return {
    statements: found.flatMap((each) => (typeof each === 'string' ? [] : [each])),
    warnings: found.flatMap((each) => (typeof each === 'string' ? [each] : [])),
  }
}

/** All values of a document that are not tables, with the names that lead to them. */
const leaves = (data: Record<string, unknown>, above: string[] = []): [string[], unknown][] =>
  Object.entries(data).flatMap(([name, value]): [string[], unknown][] => {
    const isTable = isObject(value) && !(value instanceof Date)
    return isTable ? leaves(value, [...above, name]) : [[[...above, name], value]]
  })

/** A statement, or a warning if there is nothing to be had from it. */
const readLeaf = (toml: TomlFile, keyPath: string[], given: unknown, source: FileSource): Statement | string => {
  // A name from a file that may be hostile goes to a terminal.
  const key = keyPath.map((name) => (/^[\w-]{1,60}$/.test(name) ? name : shown(name))).join('.')
  const setting = findSetting(key)
  const at = findKey(toml, keyPath)
  const place = `${toml.file}${at === undefined ? '' : `:${at.line}:${at.column}`}: ${key}`
  const meant = meantSetting(key)
  if (setting === undefined) return `${place} is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`
  if (source === 'project' && setting.scope === 'user')
    return `${place} is ignored: it can only be set in your own config`
  const from = { source, file: toml.file, ...(at === undefined ? {} : { line: at.line }) }
  return { setting, given, checked: checkValue(setting, given), place, from }
}

/** What is given as text for a setting; a statement names the place that gave it. */
const readTexts = (
  source: 'env' | 'flag',
  giverOf: (setting: (typeof settings)[number]) => { place: string; given: string | undefined },
): Statement[] =>
  settings.flatMap((setting) => {
    const { place, given } = giverOf(setting)
    return given === undefined ? [] : [{ setting, given, checked: parseValue(setting, given), place, from: { source } }]
  })
