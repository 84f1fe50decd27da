import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Config, loadConfig } from '../base/config/load.ts'
import { settings } from '../base/config/settings.ts'
import type { ConfigItemView } from '../contract/outputs/local.ts'
import type { CliContext } from './context.ts'

/** The settings as they are for work in `dir`; what is odd about the files is said on the side. */
export const loadSettings = async (context: CliContext, dir: string): Promise<Config> => {
  // The work tree around `dir`, or `dir` itself.
  const { config, warnings } = await loadConfig({
    paths: context.paths(),
    projectDir: workTree(dir) ?? dir,
    env: context.env,
  })
  for (const warning of warnings) context.out.note(`rein: ${warning}`)
  return config
}

const workTree = (dir: string): string | undefined => {
  if (existsSync(path.join(dir, '.git'))) return dir
  const above = path.dirname(dir)
  return above === dir ? undefined : workTree(above)
}

/** All settings as `rein config list` shows them. */
export const loadItems = async (context: CliContext): Promise<ConfigItemView[]> => {
  const config = await loadSettings(context, context.cwd())
  return settings.map(({ key, env }) => {
    const { value, source } = config[key]
    return { key, value, source, env }
  })
}
