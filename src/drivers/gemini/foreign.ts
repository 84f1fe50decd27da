import { dirname, join } from 'node:path'
import type { Foreign, ForeignItem, ForeignPlace } from '../contract.ts'
import {
  contentOf,
  directoriesAbove,
  headedItems,
  hookItems,
  jsonIn,
  objectIn,
  serverItems,
  settingItem,
  trustPlaces,
  variableItems,
} from '../foreign.ts'
import { geminiDirectory } from './user-home.ts'

/** Its workspace is where it is started, and nothing above that, but for variables. */
const items = (place: ForeignPlace): ForeignItem[] => {
  const [directory] = directoriesAbove(place)
  if (directory === undefined) return []
  const file = join(directory, '.gemini/settings.json')
  const settings = jsonIn(file)
  const [tools, mcp] = [objectIn(settings['tools']), objectIn(settings['mcp'])]
  return [
    ...hookItems(file, settings['hooks'], place),
    ...serverItems(file, settings['mcpServers'], place),
    ...settingItem(file, 'setting tools.discoveryCommand', tools['discoveryCommand']),
    ...settingItem(file, 'setting tools.callCommand', tools['callCommand']),
    ...settingItem(file, 'setting mcp.serverCommand', mcp['serverCommand']),
    ...headedItems(join(directory, '.gemini/agents')),
    ...weakens(place, { isLaunched: true, isHttp: false }),
    ...envItems(place),
  ]
}

/** The first file of variables counts, and what the CLI takes from any directory is nothing to ask about. */
const envItems = (place: ForeignPlace): ForeignItem[] => {
  for (const directory of directoriesAbove(place))
    for (const file of [join(directory, '.gemini/.env'), join(directory, '.env')]) {
      const text = contentOf(file)
      if (text === null) continue
      const isOfCli = file.includes('/.gemini/')
      return variableItems(file, variablesIn(text), (name) => isHarmless(name) || (!isOfCli && !steering.test(name)))
    }
  return []
}

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(.*)$/gm),
      ([, name = '', value = '']) => [name, value],
    ),
  )

const isHarmless = (name: string): boolean =>
  ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'].includes(name)

/** Many projects have a file of variables for other programs: only these reach the CLI and what it starts. */
const steering =
  /^(GEMINI|GOOGLE|REIN|LD|DYLD|NODE|BASH|GIT|NPM|BUN|DENO|UV|PIP|PERL|RUBY|JAVA|SSH|SSL|CURL)_|^(PYTHON|npm_)|_PROXY$|_proxy$|^(PATH|HOME|ENV|SHELL|IFS|EDITOR|VISUAL|PAGER|BROWSER|PERL5OPT|RUBYOPT|SANDBOX|SEATBELT_PROFILE|BUILD_SANDBOX)$/

/** As the CLI decides it: the longest path that fits. What its user has switched off asks nobody. */
const isTrusted = (place: ForeignPlace): boolean => {
  const { env } = place
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true
  const directory = geminiDirectory(env)
  const { enabled } = objectIn(objectIn(jsonIn(join(directory, 'settings.json'))['security'])['folderTrust'])
  if (enabled === false) return true
  const file = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(directory, 'trustedFolders.json')
  return trustPlaces(place).some((path) => levelOf(path, jsonIn(file)))
}

const levelOf = (path: string, folders: Record<string, unknown>): boolean => {
  const [best] = Object.entries(folders)
    .map(([rule, level]) => ({ rule, level, top: level === 'TRUST_PARENT' ? dirname(rule) : rule }))
    .filter(({ top }) => path === top || path.startsWith(top.endsWith('/') ? top : `${top}/`))
    .toSorted((one, other) => other.rule.length - one.rule.length)
  return best?.level === 'TRUST_FOLDER' || best?.level === 'TRUST_PARENT'
}

/** Nothing that Rein could give it outranks a project that switches all hooks off; those of a launched agent have names that it cannot know. */
const weakens: Foreign['weakens'] = (place, { isLaunched }) => {
  const [directory = '/'] = directoriesAbove(place)
  const file = join(directory, '.gemini/settings.json')
  const { enabled, disabled } = objectIn(jsonIn(file)['hooksConfig'])
  const isNamed = !isLaunched && Array.isArray(disabled) && disabled.length > 0
  return [
    ...(enabled === false ? settingItem(file, 'setting hooksConfig.enabled', false) : []),
    ...(isNamed ? settingItem(file, 'setting hooksConfig.disabled', disabled) : []),
  ]
}

export const foreign: Foreign = { items, isTrusted, asks: () => false, weakens }
