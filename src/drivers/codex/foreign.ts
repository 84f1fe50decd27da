import { basename, join } from 'node:path'
import { parse } from 'smol-toml'
import type { Foreign } from '../contract.ts'
import { readText } from '../files.ts'
import { directoriesInTree, listFiles, serverItems, settingItem, trustPlaces, variableItems } from '../foreign.ts'
import { asObject, type Json } from '../json.ts'
import { homeOf } from './transcript.ts'

/** Settings that run something, send its key elsewhere, or let more run unasked. */
const settings = [
  'notify',
  'model_provider',
  'model_providers',
  'openai_base_url',
  'chatgpt_base_url',
  'otel',
  'profile',
  'profiles',
  'sandbox_mode',
  'sandbox_workspace_write',
  'approval_policy',
  'permissions',
  'plugins',
  'marketplaces',
  'apps',
  'agents',
]

/** Null for one that Codex may understand, and this reader does not. */
const readToml = (file: string): Json | null => {
  try {
    return parse(readText(file) ?? '')
  } catch {
    return null
  }
}

export const foreign: Foreign = {
  // Rein starts Codex in a trusted directory, and Codex then takes all of these. It runs hooks only once they are reviewed.
  items: (place) =>
    directoriesInTree(place).flatMap((directory) => {
      const file = join(directory, '.codex/config.toml')
      const config = readToml(file)
      if (config === null) return [{ file, what: 'settings', command: 'not understood' }]
      return [
        ...serverItems(file, config['mcp_servers'], place),
        ...variableItems(file, asObject(config['shell_environment_policy'])['set']),
        ...settings.flatMap((name) => settingItem(file, `setting ${name}`, config[name])),
        ...listFiles(join(directory, '.codex/rules'), /\.rules$/).map((rules) => ({
          file: rules,
          what: 'rules of what runs unasked',
          command: readText(rules) ?? basename(rules),
        })),
      ]
    }),
  isTrusted: (place) => {
    const projects = asObject(readToml(join(homeOf(place.env), 'config.toml'))?.['projects'])
    return trustPlaces(place).some((path) => asObject(projects[path])['trust_level'] === 'trusted')
  },
  asks: () => false,
  weakens: (place, { isLaunched }) =>
    (isLaunched ? [] : directoriesInTree(place)).flatMap((directory) => {
      const file = join(directory, '.codex/config.toml')
      const features = asObject(readToml(file)?.['features'])
      return ['hooks', 'codex_hooks']
        .filter((name) => features[name] === false)
        .flatMap((name) => settingItem(file, `setting features.${name}`, false))
    }),
}
