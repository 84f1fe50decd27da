// Runs TypeScript of this repository outside vitest: bundles one module into node_modules/.cache, packages left out.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const ROOT = path.join(import.meta.dirname, '..')

/** Bundled code lies elsewhere, but must find the files beside its source. */
const keepLocation = {
  name: 'keep-location',
  transform: (code, id) =>
    code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id))),
}

/** Returns the path of a runnable copy of `source` (a path relative to the root). */
export async function bundleTs(source) {
  const file = path.join(ROOT, 'node_modules/.cache/rein', `${source.replaceAll('/', '-')}.mjs`)
  await build({
    cwd: ROOT,
    input: source,
    platform: 'node',
    external: /^[^./]/,
    plugins: [keepLocation],
    logLevel: 'warn',
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}

export const loadTs = async (source) => import(pathToFileURL(await bundleTs(source)).href)
