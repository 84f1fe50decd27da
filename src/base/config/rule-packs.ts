import { loadConfig } from './load.ts'

interface PackSources {
  paths: { config: string }
  /** Each may switch packs on. */
  projectDirs: readonly string[]
  env: Record<string, string | undefined>
}

/** The packs that are on: those of the user, or of the environment, and those of the project beside them. */
export const rulePacks = async ({ paths, projectDirs, env }: PackSources): Promise<string[]> => {
  const own = await loadConfig({ paths, env })
  const projects = await Promise.all(
    projectDirs.map((projectDir) => loadConfig({ paths: { config: '' }, projectDir, env: {} })),
  )
  return [...new Set([own, ...projects].flatMap(({ config }) => packList(config['rules.packs'].value)))]
}

export const packList = (value: string | null): string[] => (value ?? '').split(/[\s,]+/).filter((name) => name !== '')
