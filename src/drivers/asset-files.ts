import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset } from './contract.ts'

/** One of Rein's programs, copied under its own name. */
export const programAsset = (programs: string, name: string): Asset => ({
  path: name,
  content: readFileSync(join(programs, name), 'utf8'),
  executable: true,
})

export const jsonAsset = (path: string, value: unknown): Asset => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
  executable: false,
})
