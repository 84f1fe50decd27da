// Bundles src/web/ into dist/web/: index.html, sw.js, icons, and hashed files in assets/ that a browser may keep for ever.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = path.join(import.meta.dirname, '..')
const SOURCE = path.join(ROOT, 'src/web')
const TARGET = path.join(ROOT, 'dist/web')
const ASSETS = path.join(TARGET, 'assets')

/** Tabs that are still open load lazy chunks of their own build, so older files stay for `keepMs`. Returns the modules in it. */
export async function buildPage(keepMs) {
  const files = [...(await bundleScripts()), await joinStyles()]
  await mkdir(ASSETS, { recursive: true })
  for (const { fileName, content } of files) await replaceFile(path.join(ASSETS, fileName), content)
  const index = await renderIndex(files)
  // The worker comes last: it keeps the page that it finds.
  const named = [...(await readStatic()), { fileName: 'index.html', content: index }, await bundleWorker(files, index)]
  for (const { fileName, content } of named) await replaceFile(path.join(TARGET, fileName), content)
  const current = new Set(files.map(({ fileName }) => fileName))
  for (const name of await readdir(ASSETS)) {
    const file = path.join(ASSETS, name)
    if (!current.has(name) && (await stat(file)).mtimeMs < Date.now() - keepMs) await rm(file)
  }
  return files.flatMap(({ moduleIds = [] }) => moduleIds)
}

async function bundleScripts() {
  const bundled = await rolldown({
    cwd: ROOT,
    // Chunks are executed before what imports them: the code of the address bar has to be taken by a script of its own.
    input: { 'pairing-code': 'src/web/link/pairing-code.ts', main: 'src/web/main.tsx' },
    platform: 'browser',
    tsconfig: path.join(SOURCE, 'tsconfig.json'),
  })
  const { output } = await bundled.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundled.close()
  return output.map(({ fileName, name, isEntry, code, moduleIds }) => ({
    fileName,
    moduleIds,
    content: code,
    as: isEntry ? `${name}.js` : null,
  }))
}

/** In the order of their names. */
async function joinStyles() {
  const folder = path.join(SOURCE, 'style')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return hashed('page.css', shrinkCss(texts.join('\n')))
}

/** No string in these files has a comment or a run of blanks in it. */
const shrinkCss = (text) =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()

/** What keeps its name: browsers keep the addresses of these. */
async function readStatic() {
  const folder = path.join(SOURCE, 'static')
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (fileName) => ({ fileName, content: await readFile(path.join(folder, fileName)) })),
  )
}

/** Keeps all files of this build for times without a network; another build is another worker, so browsers fetch it. */
async function bundleWorker(files, index) {
  const hash = createHash('sha256').update(index)
  for (const { fileName } of files) hash.update(fileName)
  const bundled = await rolldown({
    cwd: ROOT,
    input: { sw: 'src/web/worker/sw.ts' },
    platform: 'browser',
    tsconfig: path.join(SOURCE, 'tsconfig.json'),
    transform: {
      define: {
        __SHELL_FILES__: JSON.stringify(files.map(({ fileName }) => `/assets/${fileName}`)),
        __SHELL_HASH__: JSON.stringify(hash.digest('hex').slice(0, 12)),
      },
    },
  })
  const { output } = await bundled.generate({ format: 'iife', minify: true })
  await bundled.close()
  return { fileName: 'sw.js', content: output[0].code }
}

function hashed(name, content) {
  const { name: stem, ext } = path.parse(name)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  return { fileName: `${stem}-${hash}${ext}`, content, as: name }
}

/** The template names files as they are called before their hash. */
async function renderIndex(files) {
  let text = await readFile(path.join(SOURCE, 'index.html'), 'utf8')
  for (const { fileName, as } of files)
    if (as !== null) text = text.replaceAll(`/assets/${as}"`, `/assets/${fileName}"`)
  return text
}

async function replaceFile(file, content) {
  await writeFile(`${file}.${process.pid}.tmp`, content)
  await rename(`${file}.${process.pid}.tmp`, file)
}
