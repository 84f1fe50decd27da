import { dirname, join } from 'node:path'
import type { Foreign, ForeignItem, ForeignPlace } from '../contract.ts'
import { readText } from '../files.ts'
import {
  directoriesAbove,
  headedItems,
  hookItems,
  readJson,
  serverItems,
  settingItem,
  trustPlaces,
  variableItems,
} from '../foreign.ts'
import { asObject } from '../json.ts'
import { geminiDirectory } from './user-home.ts'

/** Its workspace is where it is started, and nothing above that, but for variables. */
const items = (place: ForeignPlace): ForeignItem[] => {
  const [directory] = directoriesAbove(place)
  if (directory === undefined) return []
  const file = join(directory, '.gemini/settings.json')
  const settings = readJson(file)
  const [tools, mcp] = [asObject(settings['tools']), asObject(settings['mcp'])]
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
      const text = readText(file)
      if (text === null) continue
      const isOfCli = file.includes('/.gemini/')
      return variableItems(
        file,
        Object.fromEntries(
          Array.from(
            text.matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(.*)$/gm),
            ([, name = '', value = '']) => [name, value],
          ),
        ),
        (name) =>
          ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'].includes(name) ||
          (!isOfCli && !steering.test(name)),
      )
    }
  return []
}

/** Many projects have a file of variables for other programs: only these reach the CLI and what it starts. */
const steering =
  /^(GEMINI|GOOGLE|REIN|LD|DYLD|NODE|BASH|GIT|NPM|BUN|DENO|UV|PIP|PERL|RUBY|JAVA|SSH|SSL|CURL)_|^(PYTHON|npm_)|_PROXY$|_proxy$|^(PATH|HOME|ENV|SHELL|IFS|EDITOR|VISUAL|PAGER|BROWSER|PERL5OPT|RUBYOPT|SANDBOX|SEATBELT_PROFILE|BUILD_SANDBOX)$/

/** Nothing that Rein could give it outranks a project that switches all hooks off; those of a launched agent have names that it cannot know. */
const weakens: Foreign['weakens'] = (place, { isLaunched }) => {
  const [directory = '/'] = directoriesAbove(place)
  const file = join(directory, '.gemini/settings.json')
  const { enabled, disabled } = asObject(readJson(file)['hooksConfig'])
  const isNamed = !isLaunched && Array.isArray(disabled) && disabled.length > 0
  return [
    ...(enabled === false ? settingItem(file, 'setting hooksConfig.enabled', false) : []),
    ...(isNamed ? settingItem(file, 'setting hooksConfig.disabled', disabled) : []),
  ]
}

export const foreign: Foreign = {
  items,
  // The longest matching path decides, as in the CLI. With folder trust switched off, nothing is asked.
  isTrusted: (place) => {
    const { env } = place
    if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true
    const directory = geminiDirectory(env)
    const { enabled } = asObject(asObject(readJson(join(directory, 'settings.json'))['security'])['folderTrust'])
    if (enabled === false) return true
    const file = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(directory, 'trustedFolders.json')
    return trustPlaces(place).some((path) => {
      const [best] = Object.entries(readJson(file))
        .map(([rule, level]) => ({ rule, level, top: level === 'TRUST_PARENT' ? dirname(rule) : rule }))
        .filter(({ top }) => path === top || path.startsWith(top.endsWith('/') ? top : `${top}/`))
        .toSorted((one, other) => other.rule.length - one.rule.length)
      return best?.level === 'TRUST_FOLDER' || best?.level === 'TRUST_PARENT'
    })
  },
  asks: () => false,
  weakens,
}
