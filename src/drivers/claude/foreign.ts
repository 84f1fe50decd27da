import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseObject } from '../../base/util/json.ts'
import type { Foreign, ForeignItem, ForeignPlace } from '../contract.ts'
import {
  directoriesAbove,
  directoriesInTree,
  headedItems,
  hookItems,
  readJson,
  serverItems,
  settingItem,
  trustPlaces,
  variableItems,
} from '../foreign.ts'
import { launchMode } from './mode.ts'
import { hasTerminal } from '../../contract/agent.ts'
import { readText } from '../files.ts'
import { asObject } from '../json.ts'

const listSettingsFiles = (directory: string): string[] =>
  ['settings.json', 'settings.local.json'].map((name) => join(directory, '.claude', name))

/** In print mode Claude Code takes the directory for trusted, and runs all of it. */
const items = (place: ForeignPlace): ForeignItem[] => [
  ...directoriesInTree(place).flatMap((directory) => [
    ...listSettingsFiles(directory).flatMap((file) => {
      const settings = readJson(file)
      const { defaultMode } = asObject(settings['permissions'])
      return [
        ...hookItems(file, settings['hooks'], place),
        ...variableItems(file, settings['env']),
        ...Object.entries(settings).flatMap(([name, value]) => [
          ...(runsProgram.test(name) ? settingItem(file, `setting ${name}`, value) : []),
          ...settingItem(file, `setting ${name}`, asObject(value)['command']),
        ]),
        ...settingItem(file, 'plugins', settings['enabledPlugins']),
        ...settingItem(file, 'places of plugins', settings['extraKnownMarketplaces']),
        ...(defaultMode === 'bypassPermissions' ? settingItem(file, 'permission mode', defaultMode) : []),
      ]
    }),
    ...['agents', 'commands', 'skills'].flatMap((name) => headedItems(join(directory, '.claude', name))),
  ]),
  ...directoriesAbove(place).flatMap((directory) => {
    const file = join(directory, '.mcp.json')
    return serverItems(file, readJson(file)['mcpServers'], place)
  }),
]

/** Settings that name a program are called after what it is for. */
const runsProgram = /(Helper|Refresh|Export)$/

/** Variables by which hooks run something else, or nothing. */
const steering = /^(BASH_ENV|CLAUDE_CODE_SHELL_PREFIX|CLAUDE_CODE_SIMPLE|ENV|LD_[A-Z_]+|REIN_[A-Z_]+)$/

export const foreign: Foreign = {
  items,
  // The CLI records its dialog's answer for the top of the work tree, or for the directory it was started in.
  isTrusted: (place) => {
    const { env } = place
    const file = join(env['CLAUDE_CONFIG_DIR'] || env['HOME'] || homedir(), '.claude.json')
    const projects = asObject(parseObject(readText(file) ?? '')?.['projects'])
    const isAccepted = (path: string): boolean => asObject(projects[path])['hasTrustDialogAccepted'] === true
    return Boolean(env['CLAUDE_CODE_SANDBOXED']) || trustPlaces(place).some(isAccepted)
  },
  asks: (host, request) => hasTerminal(host) && launchMode(request) !== 'bypassPermissions',
  weakens: (place, { isLaunched, isHttp }) =>
    directoriesInTree(place)
      .slice(0, 1)
      .flatMap(listSettingsFiles)
      .flatMap((file) => {
        const { disableAllHooks, env, allowedHttpHookUrls, httpHookAllowedEnvVars } = readJson(file)
        const http = [
          ...settingItem(file, 'setting allowedHttpHookUrls', allowedHttpHookUrls),
          ...settingItem(file, 'setting httpHookAllowedEnvVars', httpHookAllowedEnvVars),
        ]
        if (isLaunched) return isHttp ? http : []
        return [
          ...(disableAllHooks === true ? settingItem(file, 'setting disableAllHooks', true) : []),
          ...variableItems(file, env, (name) => !steering.test(name)),
        ]
      }),
}
