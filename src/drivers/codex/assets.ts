import { programAsset } from '../asset-files.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { guardProgram } from '../guard.ts'
import { skillFiles } from '../skills.ts'

/** Where a launched agent finds them in its directory of assets. */
export const [hookProgram, skillsDirectory] = ['rein-hook', 'skills']

/** The hooks themselves are settings of the run: nothing but their programs has to lie anywhere. */
export const assets = ({ programs, skills }: AssetContext): Asset[] => [
  ...[hookProgram, guardProgram].map((name) => programAsset(programs, name)),
  ...skillFiles(skills, skillsDirectory),
]
