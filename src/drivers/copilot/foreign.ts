import { join } from 'node:path'
import { hasTerminal } from '../../contract/agent.ts'
import type { Foreign, ForeignItem, ForeignPlace } from '../contract.ts'
import {
  codeItem,
  directoriesInTree,
  listFiles,
  headedItems,
  hookItems,
  readJson,
  serverItems,
  settingItem,
  trustPlaces,
  variableItems,
} from '../foreign.ts'
import { configDirectory } from './transcript.ts'

/** It reads Claude Code's settings of a project, too. */
const listSettingsFiles = (directory: string): string[] =>
  ['.github/copilot/settings', '.claude/settings'].flatMap((name) =>
    ['.json', '.local.json'].map((ending) => join(directory, `${name}${ending}`)),
  )

const items = (place: ForeignPlace): ForeignItem[] =>
  directoriesInTree(place).flatMap((directory) => {
    const at = (name: string): string => join(directory, name)
    return [
      ...listFiles(at('.github/hooks'), /\.json$/).flatMap((file) => hookItems(file, readJson(file)['hooks'], place)),
      ...listSettingsFiles(directory).flatMap((file) => {
        const { hooks, env, enabledPlugins, extraKnownMarketplaces, mcpServers } = readJson(file)
        return [
          ...hookItems(file, hooks, place),
          ...variableItems(file, env),
          ...serverItems(file, mcpServers, place),
          ...settingItem(file, 'plugins', enabledPlugins),
          ...settingItem(file, 'places of plugins', extraKnownMarketplaces),
        ]
      }),
      ...[at('.mcp.json'), at('.github/mcp.json')].flatMap((file) =>
        serverItems(file, readJson(file)['mcpServers'] ?? readJson(file)['servers'], place),
      ),
      ...[at('.github/lsp.json'), at('lsp.json')].flatMap((file) =>
        settingItem(file, 'language servers', readJson(file)['lspServers']),
      ),
      ...listFiles(at('.github/extensions'), /\.(m|c)?(j|t)s$/).map((file) => codeItem(file, 'extension')),
      ...headedItems(at('.github/agents')),
    ]
  })

/** Nothing that Rein could give it outranks these. */
const weakens = (place: ForeignPlace): ForeignItem[] =>
  directoriesInTree(place)
    .flatMap(listSettingsFiles)
    .flatMap((file) =>
      readJson(file)['disableAllHooks'] === true ? settingItem(file, 'setting disableAllHooks', true) : [],
    )

export const foreign: Foreign = {
  items: (place) => [...items(place), ...weakens(place)],
  // Trust covers the folders that the user has trusted, and everything in them.
  isTrusted: (place) => {
    const directory = configDirectory(place.env)
    const folders = ['config.json', 'settings.json'].flatMap((name) => {
      const { trustedFolders, trusted_folders: older } = readJson(join(directory, name))
      return [trustedFolders, older].flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
    })
    return trustPlaces(place).some((path) =>
      folders.some((folder) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)),
    )
  },
  // With everything allowed, nothing is asked.
  asks: (host, { autoApprove, args }) =>
    hasTerminal(host) && autoApprove !== true && !args.some((arg) => /^--(allow-all|yolo)/.test(arg)),
  weakens,
}
