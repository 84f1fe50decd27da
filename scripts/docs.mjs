// Writes the generated pages of docs/; with --check only says which of them are out of date.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadTs } from './load-ts.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const PAGES = [
  { page: 'docs/configuration.md', source: 'src/config/docs.ts', render: 'configurationPage' },
  { page: 'docs/cli.md', source: 'src/cli/docs.ts', render: 'cliPage' },
  { page: 'docs/json-output.md', source: 'src/contract/docs.ts', render: 'jsonOutputPage' },
]

/** The new text of a page, if it is not the one that is there. */
async function regenerate({ page, source, render }) {
  const wanted = (await loadTs(source))[render]()
  return wanted === (await readFile(path.join(ROOT, page), 'utf8').catch(() => undefined)) ? undefined : wanted
}

function complain({ page, source }) {
  console.error(`${page} differs from what ${source} generates: run \`npm run docs\`.`)
  process.exitCode = 1
}

const checkOnly = process.argv.includes('--check')
for (const each of PAGES) {
  const text = await regenerate(each)
  if (text === undefined) continue
  if (checkOnly) complain(each)
  else await writeFile(path.join(ROOT, each.page), text)
}
