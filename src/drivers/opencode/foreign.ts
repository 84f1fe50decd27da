import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Foreign } from '../contract.ts'
import { orNull, readText } from '../files.ts'
import { codeItem, directoriesInTree, listFiles, readJson, serverItems, settingItem } from '../foreign.ts'
import { asObject } from '../json.ts'
import { deployedPlugin } from './deployment.ts'

const configFiles = ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc']

export const foreign: Foreign = {
  // opencode trusts every directory, in a terminal too.
  items: (place) =>
    directoriesInTree(place).flatMap((directory) => {
      const at = (name: string): string => join(directory, '.opencode', name)
      return [
        ...configFiles.flatMap((configFile) => {
          const file = join(directory, configFile)
          const { plugin, mcp, lsp, formatter, provider, experimental, tool } = readJson(file)
          const commands = [lsp, formatter].flatMap((list) => Object.entries(asObject(list)))
          const providers = Object.entries(asObject(provider))
          return [
            ...(Array.isArray(plugin)
              ? plugin.map(String).flatMap((entry) => {
                  // A plugin file is identified by its content; Rein's own, as `rein setup` writes it, is not foreign.
                  const path = orNull(() =>
                    entry.startsWith('file://') ? fileURLToPath(entry) : resolve(join(file, '..'), entry),
                  )
                  if (path === null) return settingItem(file, 'plugin', entry)
                  const content = readText(path) ?? readText(resolve(directory, entry))
                  if (content === null) return settingItem(file, 'plugin', entry)
                  const programs = {
                    hook: join(place.own.hooks, 'rein-hook'),
                    waiter: join(place.own.hooks, 'rein-wait'),
                    guard: join(place.own.hooks, 'rein-guard'),
                  }
                  return content === deployedPlugin({ programs: place.own.programs, ...programs })
                    ? []
                    : [codeItem(path, `plugin ${entry}`)]
                })
              : []),
            ...serverItems(file, mcp, place),
            ...commands.flatMap(([name, one]) => settingItem(file, `program for ${name}`, asObject(one)['command'])),
            ...providers.flatMap(([name, one]) => [
              ...settingItem(file, `package of provider ${name}`, asObject(one)['npm']),
              ...settingItem(file, `options of provider ${name}`, asObject(one)['options']),
            ]),
            ...settingItem(file, 'hooks', asObject(experimental)['hook']),
            ...settingItem(file, 'tools', tool),
          ]
        }),
        ...listFiles(at(''), /^(plugins?|tools?)\/[^/]*\.(m|c)?(j|t)s$/).map((file) => codeItem(file, 'code')),
        ...settingItem(at('package.json'), 'packages', readJson(at('package.json'))['dependencies']),
      ]
    }),
  isTrusted: () => false,
  asks: () => false,
  weakens: () => [],
}
