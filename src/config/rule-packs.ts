import { loadConfig } from './load.ts'

interface PackSources {
  paths: { config: string }
  projectDir: string
  env: Record<string, string | undefined>
}

/** The packs that are on: those of the user, or of the environment, and those of the project beside them. */
export const rulePacks = async ({ paths, projectDir, env }: PackSources): Promise<string[]> => {
  const own = await loadConfig({ paths, env })
  const project = await loadConfig({ paths: { config: '' }, projectDir, env: {} })
  return [...new Set([own, project].flatMap(({ config }) => packList(config['rules.packs'].value)))]
}

export const packList = (value: string | null): string[] => (value ?? '').split(/[\s,]+/).filter((name) => name !== '')
