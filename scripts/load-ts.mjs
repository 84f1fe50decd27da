// Runs TypeScript of this repository outside vitest: bundles one module into node_modules/.cache, packages left out.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { yamlTables } from './yaml-tables.mjs'

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
  const { output } = await build({
    write: false,
    cwd: ROOT,
    input: source,
    platform: 'node',
    external: /^[^./]/,
    plugins: [yamlTables, keepLocation],
    logLevel: 'warn',
    output: { file, format: 'esm', codeSplitting: false },
  })
  await mkdir(path.dirname(file), { recursive: true })
  // By rename: tests that run at the same time start the same program.
  await writeFile(`${file}.${process.pid}.tmp`, output[0].code)
  await rename(`${file}.${process.pid}.tmp`, file)
  return file
}

export const loadTs = async (source) => import(pathToFileURL(await bundleTs(source)).href)
