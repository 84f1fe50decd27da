// How much a browser loads, gzipped: for the first view, and in all. With --check, it fails above the budget.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const WEB = path.join(import.meta.dirname, '../dist/web')
export const BUDGET = { first: 60_000, all: 220_000 }
/** The view that stands at the beginning. */
const FIRST_VIEW = /^agents-/

const STATIC_IMPORT = /(?:from|import)\s*["'`]\.\/([\w.-]+)["'`]/g
const LAZY_IMPORT = /import\(\s*["'`]\.\/([\w.-]+)["'`]\s*\)/g

export async function measurePage() {
  const index = await readFile(path.join(WEB, 'index.html'), 'utf8')
  const named = [...index.matchAll(/\/assets\/([\w.-]+)"/g)].map(([, name]) => name)
  const files = new Map()
  await addAll(named, files, () => true)
  const first = new Map()
  await addAll(named, first, (name) => FIRST_VIEW.test(name))
  return { first: sum(first) + gzipSync(index).length, all: sum(files) + gzipSync(index).length, files }
}

/** Adds files with all that they import; of what they import lazily, what is wanted. */
async function addAll(names, files, isWanted) {
  for (const name of names) {
    if (files.has(name)) continue
    const content = await readFile(path.join(WEB, 'assets', name))
    files.set(name, gzipSync(content).length)
    if (!name.endsWith('.js')) continue
    const text = content.toString('utf8')
    const lazy = [...text.matchAll(LAZY_IMPORT)].map(([, found]) => found).filter(isWanted)
    await addAll([...[...text.matchAll(STATIC_IMPORT)].map(([, found]) => found), ...lazy], files, isWanted)
  }
}

const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { first, all, files } = await measurePage()
  for (const [name, size] of [...files].toSorted(([, a], [, b]) => b - a))
    console.log(`${String(size).padStart(7)}  ${name}`)
  console.log(`${String(first).padStart(7)}  first view, of ${BUDGET.first}`)
  console.log(`${String(all).padStart(7)}  all, of ${BUDGET.all}`)
  if (process.argv.includes('--check') && (first > BUDGET.first || all > BUDGET.all)) {
    console.log('The page is above its budget.')
    process.exitCode = 1
  }
}
