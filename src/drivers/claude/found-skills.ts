import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { skillNames } from '../skills.ts'
import { configDirectory } from './transcript.ts'

/** Whether Rein's skills are among the user's own. */
export const hasUserSkills = (env: NodeJS.ProcessEnv): boolean => holdsAll(join(configDirectory(env), 'skills'))

/** Claude Code finds them by itself there, and in each directory from here up to the top of the work tree. */
export const findsSkills = (cwd: string, env: NodeJS.ProcessEnv): boolean =>
  hasUserSkills(env) || upwards(cwd).some((directory) => holdsAll(join(directory, '.claude/skills')))

const upwards = (directory: string): string[] => {
  const parent = dirname(directory)
  const isTop = parent === directory || existsSync(join(directory, '.git'))
  return [directory, ...(isTop ? [] : upwards(parent))]
}

const holdsAll = (directory: string): boolean =>
  skillNames.every((name) => existsSync(join(directory, name, 'SKILL.md')))
