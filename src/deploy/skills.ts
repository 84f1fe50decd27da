import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Skill } from '../drivers/contract.ts'

/** Rein's own skills: one directory each, with a SKILL.md in it. */
export const readSkills = (dir: string): Skill[] =>
  readdirSync(dir)
    .toSorted()
    .map((name) => ({ name, file: join(dir, name, 'SKILL.md') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, content: readFileSync(file, 'utf8') }))
