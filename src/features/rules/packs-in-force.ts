import type { Base } from '../../base/base.ts'
import { loadConfig } from '../../base/config/load.ts'
import { rootsDownTo } from './sources.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'

const believedMs = 1000
const mostRoots = 200

/**
 * The packs of the user and those of the project: neither can switch off those of the other. Files are read anew;
 * what the daemon was started with counts where they cannot be read.
 */
export const packsInForce = ({ paths, settings, now, troubleIn }: Base) => {
  const known = new BoundedMap<string | null, { at: number; packs: Promise<readonly string[]> }>(mostRoots)
  const read = async (root: string | null): Promise<readonly string[]> => {
    const places = [{ env: process.env }, {}, ...rootsDownTo(root).map((projectDir) => ({ projectDir }))]
    const loaded = await Promise.all(places.map((place) => loadConfig({ paths, env: {}, ...place })))
    return listPacks(loaded.map(({ config }) => config['rules.packs'].value))
  }
  return (root: string | null): Promise<readonly string[]> => {
    const last = known.get(root)
    if (last !== undefined && now() - last.at < believedMs) return last.packs
    const packs = read(root).catch((cause: unknown) => {
      troubleIn('rules.packs')(cause)
      return last?.packs ?? listPacks([settings['rules.packs']])
    })
    known.set(root, { at: now(), packs })
    return packs
  }
}

const listPacks = (texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ?? '').split(/[\s,]+/).filter((name) => name !== ''))),
]
