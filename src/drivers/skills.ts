import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset, Skill } from './contract.ts'

/** Rein's own skills: one directory each, with its SKILL.md. */
export const readSkills = (directory: string): Skill[] =>
  readdirSync(directory)
    .toSorted()
    .map((name) => ({ name, content: readFileSync(join(directory, name, 'SKILL.md'), 'utf8') }))

/** The same as files under `at`. */
export const skillFiles = (directory: string | null, at: string): Asset[] =>
  directory === null
    ? []
    : readSkills(directory).map(({ name, content }) => ({ path: `${at}/${name}/SKILL.md`, content, executable: false }))

/** Skill names, for CLIs that need a list. */
export const skillNames = [
  'rein-check-directives',
  'rein-check-tokens',
  'rein-create-spec',
  'rein-lead',
  'rein-rules',
  'rein-send-message',
  'rein-session-history',
  'rein-team',
  'rein-update-spec',
] as const
