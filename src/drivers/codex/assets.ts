import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset, AssetContext } from '../contract.ts'
import { guardAsset } from '../guard.ts'
import { skillFiles } from '../skills.ts'

/** Where a launched agent finds them in its directory of assets. */
export const [hookProgram, skillsDirectory] = ['rein-hook', 'skills']

/** The hooks themselves are settings of the run: nothing but their programs has to lie anywhere. */
export const assets = ({ programs, skills }: AssetContext): Asset[] => [
  { path: hookProgram, content: readFileSync(join(programs, hookProgram), 'utf8'), executable: true },
  guardAsset(programs),
  ...skillFiles(skills, skillsDirectory),
]
