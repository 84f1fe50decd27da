import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programAsset } from '../asset-files.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { guardProgram } from '../guard.ts'
import { skillFiles } from '../skills.ts'

/** Its name in the directory of Rein's programs, and in the private one. */
export const plugin = 'rein-opencode.js'

/** A plugin that runs inside opencode, the waiter and the guard that it starts, and the skills that it adds. */
export const assets = ({ programs, skills }: AssetContext): Asset[] => [
  { path: plugin, content: readFileSync(join(programs, plugin), 'utf8'), executable: false },
  ...['rein-wait', guardProgram].map((name) => programAsset(programs, name)),
  ...skillFiles(skills, 'skills'),
]
