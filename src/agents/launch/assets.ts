import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Asset } from '../../drivers/contract.ts'

/** What an agent was started with: kept beside it, because a newer Rein would make other files. */
export interface Deployed {
  directory: string
  assets: Asset[]
}

/** Writes a driver's files into a directory named after their content: a running agent never sees them change. */
export const deployAssets = (root: string, name: string, assets: readonly Asset[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(assets)).digest('hex').slice(0, 12)
  const directory = join(root, `${name}-${digest}`)
  if (existsSync(directory)) {
    restoreAssets({ directory, assets: [...assets] })
    return directory
  }
  const making = `${directory}.${process.pid}.tmp`
  for (const asset of assets) write(making, asset)
  renameSync(making, directory)
  return directory
}

/** Puts back what is missing or changed; the paths of what was. */
export const restoreAssets = ({ directory, assets }: Deployed): string[] => {
  const lost = assets.filter((asset) => !isThere(directory, asset))
  for (const asset of lost) write(directory, asset)
  return lost.map(({ path }) => join(directory, path))
}

const manifest = (agentDir: string): string => join(agentDir, 'assets.json')

/** Keeps a copy of what lies in a directory of assets. */
export const rememberAssets = (agentDir: string, directory: string): void => {
  if (!existsSync(directory)) return
  const deployed: Deployed = { directory, assets: readAssets(directory) }
  mkdirSync(agentDir, { recursive: true, mode: 0o700 })
  const draft = `${manifest(agentDir)}.tmp`
  writeFileSync(draft, JSON.stringify(deployed), { mode: 0o600 })
  renameSync(draft, manifest(agentDir))
}

/** Null for an agent that Rein did not start, or started before it kept this. */
export const rememberedAssets = (agentDir: string): Deployed | null => {
  try {
    return JSON.parse(readFileSync(manifest(agentDir), 'utf8')) as Deployed
  } catch {
    return null
  }
}

const readAssets = (directory: string): Asset[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      return { path: relative(directory, file), content: readFileSync(file, 'utf8'), executable: isRunnable(file) }
    })

const isRunnable = (file: string): boolean => (statSync(file).mode & 0o100) !== 0

const write = (directory: string, { path, content, executable }: Asset): void => {
  const target = join(directory, path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  // A script that is just being run must not change under its shell.
  const draft = `${target}.${process.pid}.tmp`
  writeFileSync(draft, content, { mode: executable ? 0o700 : 0o600 })
  renameSync(draft, target)
}

const isThere = (directory: string, { path, content, executable }: Asset): boolean => {
  try {
    const target = join(directory, path)
    return (isRunnable(target) || !executable) && readFileSync(target, 'utf8') === content
  } catch {
    return false
  }
}
