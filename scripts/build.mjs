// Bundles src/ into dist/: one file for each entry, and a hashed chunk for what is imported lazily.
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { isolatedDeclaration } from 'rolldown/experimental'
import { describeLicenses, listDependencies, packagesOf } from './licenses.mjs'
import { buildPage } from './page.mjs'
import { buildPlugin } from './plugin.mjs'
import { yamlTables } from './yaml-tables.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist')
const STAMP = path.join(DIST, '.sources')
/** What others import: its types stand in this one file. */
const SDK = 'src/adapters/sdk/adapter.ts'
/** People wait for the command to start, and Node starts CommonJS sooner. */
const PROGRAMS = [
  { name: 'cli', source: 'src/cli/main.ts', atOnce: ['src/cli/agents/ps.ts'], format: 'cjs', extension: 'cjs' },
  { name: 'daemon', source: 'src/daemon/main.ts', format: 'esm', extension: 'js' },
  { name: 'guard-judge', source: 'src/features/rules/guard/judge.ts', format: 'esm', extension: 'js' },
  { name: 'writer', source: 'src/daemon/writer.ts', format: 'esm', extension: 'js' },
  { name: 'repair', source: 'src/daemon/repair.ts', format: 'esm', extension: 'js' },
  { name: 'copier', source: 'src/daemon/copier.ts', format: 'esm', extension: 'js' },
  { name: 'line-reader', source: 'src/daemon/line-reader.ts', format: 'esm', extension: 'js' },
  { name: 'keeper', source: 'src/agents/keeper/main.ts', format: 'esm', extension: 'js' },
  { name: 'sim', source: 'src/sim/main.ts', format: 'esm', extension: 'js' },
  { name: 'adapter-main', source: 'src/adapters/main.ts', format: 'esm', extension: 'js' },
  { name: 'adapter', source: SDK, format: 'esm', extension: 'js' },
]
/** SQLite for Node before 22.13, with its binaries: so an install needs no compiler, no download and no script of a package. */
const SQLITE = directoryOf('@photostructure/sqlite')
const SQLITE_PLATFORMS = /^(linux|darwin)-/
/** Named by its version and never written over: a running daemon has its files open. */
const SQLITE_PLACE = `sqlite-${JSON.parse(await readFile(path.join(SQLITE, 'package.json'), 'utf8')).version}`
/** Files that programs read beside themselves. */
const DATA = ['src/features/rules/packs', 'src/features/rules/templates']
/** Everything else is bundled, so an install fetches nothing but these. */
const { dependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
const KEEP_OLD_CHUNKS_MS = 7 * 24 * 3_600_000

const isSource = (file) => !file.endsWith('.test.ts') && !file.includes(`${path.sep}fixtures${path.sep}`)

async function filesIn(folder) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

function directoryOf(name) {
  return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
}

/** A hash of all that goes into dist/. */
async function hashSources() {
  const sources = (await Promise.all(['src', 'skills'].map(filesIn))).flat()
  const scripts = ['build', 'licenses', 'page', 'plugin', 'yaml-tables'].map((name) => `scripts/${name}.mjs`)
  const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', ...scripts]
  const hash = createHash('sha256')
  for (const file of [...sources.filter(isSource).toSorted(), ...inputs.map((name) => path.join(ROOT, name))])
    hash.update(`${path.relative(ROOT, file)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Each program by itself: a chunk shared by two of them could import, and so run, the other one. */
async function bundle(hash, pageModules) {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const made = { version, id: hash.slice(0, 12) }
  const programs = (await Promise.all(PROGRAMS.map((program) => bundleOne(program, made)))).flat()
  return [
    ...programs,
    await declareSdk(),
    await listLicenses([...programs.flatMap(({ moduleIds }) => moduleIds), ...pageModules]),
  ]
}

/** The bundler adds code of its own to each program. */
async function listLicenses(modules) {
  const others = [SQLITE, ...(await listDependencies(SQLITE)), directoryOf('rolldown')]
  const packages = [...new Set([...packagesOf(modules), ...others])]
  const code = await describeLicenses(packages.toSorted((one, other) => one.localeCompare(other)))
  return { fileName: 'third-party-licenses.txt', code, isEntry: false }
}

async function declareSdk() {
  const { code, errors } = await isolatedDeclaration(SDK, await readFile(path.join(ROOT, SDK), 'utf8'))
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return { fileName: 'adapter.d.ts', code, isEntry: false }
}

async function placeSqlite() {
  const target = path.join(DIST, SQLITE_PLACE)
  if (await stat(target).catch(() => undefined)) return
  const draft = `${target}.${process.pid}.tmp`
  const bundled = await rolldown({ cwd: ROOT, input: path.join(SQLITE, 'dist/index.cjs'), platform: 'node' })
  await bundled.write({ format: 'cjs', file: path.join(draft, 'dist/index.cjs') })
  await bundled.close()
  await cp(path.join(SQLITE, 'LICENSE'), path.join(draft, 'LICENSE'))
  for (const platform of (await readdir(path.join(SQLITE, 'prebuilds'))).filter((name) => SQLITE_PLATFORMS.test(name)))
    await cp(path.join(SQLITE, 'prebuilds', platform), path.join(draft, 'prebuilds', platform), { recursive: true })
  await rename(draft, target)
}

async function bundleOne({ name, source, atOnce, format, extension }, { version, id }) {
  const bundled = await rolldown({
    cwd: ROOT,
    input: { [name]: source },
    platform: 'node',
    plugins: [yamlTables],
    // Its other build asks for its parts in a way that cannot be bundled.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    external: Object.keys(dependencies),
    // The command line loads some modules lazily that the daemon, from the same sources, has at its start.
    checks: { ineffectiveDynamicImport: false },
    transform: {
      define: {
        __REIN_VERSION__: JSON.stringify(version),
        __REIN_BUILD__: JSON.stringify(id),
        __REIN_SQLITE__: JSON.stringify(`./${SQLITE_PLACE}/dist/index.cjs`),
      },
    },
  })
  // Flat, so that `new URL('./writer.js', import.meta.url)` is right in whichever chunk the code ends up.
  const { output } = await bundled.generate({
    format,
    minify: true,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    ...(atOnce === undefined ? {} : { codeSplitting: { groups: [groupAtStart([source, ...atOnce])] } }),
  })
  await bundled.close()
  return output
}

/** One file for what a program loads in any case, and for what is asked for most: each further file costs time at its start. */
function groupAtStart(sources) {
  let atStart = null
  const name = (id, context) => {
    atStart ??= modulesBehind(sources, context)
    return atStart.has(id) ? 'start' : null
  }
  return { name, debugName: 'start' }
}

/** The modules, all that they import, and what that imports, but not lazily. */
function modulesBehind(sources, context) {
  const found = new Set(sources.map((source) => path.join(ROOT, source)))
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** Entries come last, each by rename: whoever starts meanwhile gets the old build or the new one, whole. */
async function writeChunks(output) {
  await mkdir(DIST, { recursive: true })
  for (const chunk of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))) {
    const target = path.join(DIST, chunk.fileName)
    await writeFile(`${target}.${process.pid}.tmp`, chunk.code)
    await rename(`${target}.${process.pid}.tmp`, target)
  }
}

async function copyData() {
  for (const folder of DATA) {
    const target = path.join(DIST, path.basename(folder))
    await cp(path.join(ROOT, folder), target, { recursive: true })
    const present = new Set(await readdir(path.join(ROOT, folder)))
    for (const name of await readdir(target)) if (!present.has(name)) await rm(path.join(target, name))
  }
}

/** A running daemon still loads its own lazy chunks, so those of earlier builds stay for a week; a release has none of them. */
async function removeOldChunks(output, keepMs) {
  const current = new Set([SQLITE_PLACE, ...output.map((chunk) => chunk.fileName)])
  for (const entry of await readdir(DIST, { withFileTypes: true })) {
    const file = path.join(DIST, entry.name)
    const isOfBuild = entry.isFile() || entry.name.startsWith('sqlite-')
    if (isOfBuild && !current.has(entry.name) && (await stat(file)).mtimeMs < Date.now() - keepMs)
      await rm(file, { recursive: true })
  }
}

export async function build({ isRelease = false } = {}) {
  const hash = await hashSources()
  const keepMs = isRelease ? 0 : KEEP_OLD_CHUNKS_MS
  const output = await bundle(hash, await buildPage(keepMs))
  await copyData()
  await placeSqlite()
  await writeChunks(output)
  await removeOldChunks(output, keepMs)
  await buildPlugin()
  await writeFile(STAMP, hash)
}

export async function buildIfStale() {
  const built = await readFile(STAMP, 'utf8').catch(() => '')
  if (built === (await hashSources())) return
  console.log('· building dist/')
  await build()
}

/** What vitest calls before the projects that need dist/. */
export const setup = buildIfStale

if (process.argv[1] === fileURLToPath(import.meta.url)) await build({ isRelease: process.argv.includes('--release') })
