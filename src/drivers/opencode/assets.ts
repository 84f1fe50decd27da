import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset, AssetContext } from '../contract.ts'
import { guardAsset } from '../guard.ts'
import { skillFiles } from '../skills.ts'

/** Its name in the directory of Rein's programs, and in the private one. */
export const plugin = 'rein-opencode.js'

/** A plugin that runs inside opencode, the waiter and the guard that it starts, and the skills that it adds. */
export const assets = ({ programs, skills }: AssetContext): Asset[] => [
  { path: plugin, content: readFileSync(join(programs, plugin), 'utf8'), executable: false },
  { path: 'rein-wait', content: readFileSync(join(programs, 'rein-wait'), 'utf8'), executable: true },
  guardAsset(programs),
  ...skillFiles(skills, 'skills'),
]
