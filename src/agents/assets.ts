import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Asset } from '../drivers/contract.ts'

/** Writes a driver's files into a directory named after their content: a running agent never sees them change. */
export const deployAssets = (root: string, name: string, assets: readonly Asset[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(assets)).digest('hex').slice(0, 12)
  const target = join(root, `${name}-${digest}`)
  if (existsSync(target)) return target
  const making = `${target}.${process.pid}.tmp`
  for (const { path, content, executable } of assets) {
    mkdirSync(dirname(join(making, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(making, path), content, { mode: executable ? 0o700 : 0o600 })
  }
  renameSync(making, target)
  return target
}
