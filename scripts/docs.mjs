// Writes the generated pages of docs/, the lists of scripts/lists.mjs and the route table of the client; with --check only says which of them are out of date.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { LISTS } from './lists.mjs'
import { loadTs } from './load-ts.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const PAGES = [
  // The first, because sources of other pages import it.
  { page: 'src/client/route-table.ts', source: 'src/contract/route-docs.ts', render: (made) => made.routeTableText() },
  { page: 'docs/configuration.md', source: 'src/base/config/docs.ts', render: (made) => made.configurationPage() },
  {
    page: 'docs/migrating.md',
    source: 'src/base/config/migrating.ts',
    render: (made, present) => made.migratingPage(present),
  },
  { page: 'docs/cli.md', source: 'src/cli/docs.ts', render: (made) => made.cliPage() },
  { page: 'docs/json-output.md', source: 'src/contract/docs.ts', render: (made) => made.jsonOutputPage() },
  { page: 'docs/openapi.json', source: 'src/contract/openapi.ts', render: (made) => made.openApiText() },
  {
    page: 'docs/rule-reference.md',
    source: 'src/contract/rule-docs.ts',
    render: async (made, present) => made.rulesPage(present, await surfaces()),
  },
  { page: 'docs/rules.schema.json', source: 'src/contract/rule-docs.ts', render: (made) => made.ruleSchemaText() },
  {
    page: 'docs/drivers.md',
    source: 'src/drivers/docs.ts',
    render: async (made, present) => made.driversPage(present, await pinnedVersions()),
  },
]

/** Which CLI comes from which package is known to the tests alone. */
async function pinnedVersions() {
  const { clis } = await loadTs('test/support/clis.ts')
  const { devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  return Object.fromEntries(clis.map((cli) => [cli.name, devDependencies[cli.package]]))
}

async function surfaces() {
  const { surfaceTable } = await loadTs('src/drivers/surfaces.ts')
  return surfaceTable(await pinnedVersions())
}

/** The new text of a page, if it is not the one that is there. */
async function regenerate({ page, render }) {
  const present = await readFile(path.join(ROOT, page), 'utf8').catch(() => '')
  const wanted = await render(present)
  return wanted === present ? undefined : wanted
}

function complain({ page, source }) {
  console.error(`${page} differs from what ${source} generates: run \`npm run docs\`.`)
  process.exitCode = 1
}

const checkOnly = process.argv.includes('--check')
const pages = PAGES.map(({ render, ...each }) => ({
  ...each,
  render: async (present) => render(await loadTs(each.source), present),
}))
for (const each of [...LISTS, ...pages]) {
  const text = await regenerate(each)
  if (text === undefined) continue
  if (checkOnly) complain(each)
  else await writeFile(path.join(ROOT, each.page), text)
}
