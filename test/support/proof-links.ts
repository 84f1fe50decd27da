/** Which test proves which sentence of the documentation: the links are read from the page, the names from the tests. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** What a page promises in one place, with the tests that it names as the proof. */
export interface Claim {
  text: string
  proofs: Proof[]
}

interface Proof {
  /** As it stands in the page: relative to the page. */
  target: string
  /** The exact name of the test; empty if the link has no title. */
  test: string
}

const PROOF_LINK = /\[[^\]]+\]\(([^)\s]+\.test\.ts)(?: "([^"]*)")?\)/g

const readClaim = (text: string): Claim => ({
  text,
  proofs: [...text.matchAll(PROOF_LINK)].map(([, target = '', test = '']) => ({ target, test })),
})

const readSection = (page: string, title: string): string =>
  page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ''

/** The bullets of a section, each with the lines that go on below it. */
export const readBullets = (page: string, section: string): Claim[] =>
  [...readSection(page, section).matchAll(/^- .*(?:\n +\S.*)*/gm)].map(([bullet]) => readClaim(bullet))

/** The rows of the first table of a section, without its head. */
export const readRows = (page: string, section: string): Claim[] => {
  const [table = ''] = /^\|.*(?:\n\|.*)*/m.exec(readSection(page, section)) ?? []
  return table.split('\n').slice(2).map(readClaim)
}

/** The files that a claim names, as paths in the repository. `page` is the page's path there. */
export const proofFiles = (claim: Claim, page: string): string[] =>
  claim.proofs.map(({ target }) => path.join(path.dirname(page), target))

/** What `npm test` runs. */
export const isQuick = (file: string): boolean => /^(?:src\/.+|test\/(?:process\/|proof\/)?[^/]+)\.test\.ts$/.test(file)

/** What is wrong with the proofs of a claim, in words; `isRun` says which files count. */
export const findGaps = (claim: Claim, page: string, root: string, isRun = isQuick): string[] => {
  if (claim.proofs.length === 0) return [`no proof: ${claim.text}`]
  return claim.proofs.flatMap(({ test }, index) => {
    const file = proofFiles(claim, page)[index] ?? ''
    const absolute = path.join(root, file)
    if (!existsSync(absolute)) return [`no such file: ${file}`]
    if (!isRun(file)) return [`not run by npm test: ${file}`]
    return readTestNames(readFileSync(absolute, 'utf8')).includes(test) ? [] : [`no such test in ${file}: "${test}"`]
  })
}

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* descend(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* descend(child)
}

/** The names of all tests of a source that run; that of `test.each` as its template. */
export const readTestNames = (source: string): string[] =>
  [...descend(parseAst(source, { lang: 'ts' }) as unknown as Node)].flatMap((node) => {
    if (node.type !== 'CallExpression' || !isTestFunction(readWords(node['callee']))) return []
    const name = readText((node['arguments'] as unknown[])[0])
    return name === undefined ? [] : [name]
  })

const NOT_RUN = ['skip', 'todo', 'skipIf', 'runIf', 'fails']

const isTestFunction = ([name = '', ...more]: string[]): boolean =>
  ['test', 'it'].includes(name) && !more.some((word) => NOT_RUN.includes(word))

/** `test.each(cases)` as `test`, `each`; empty if it is no name at all. */
function readWords(callee: unknown): string[] {
  if (!isNode(callee)) return []
  if (callee.type === 'Identifier') return [String(callee['name'])]
  if (callee.type === 'MemberExpression') return [...readWords(callee['object']), ...readWords(callee['property'])]
  return callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression'
    ? readWords(callee['callee'] ?? callee['tag'])
    : []
}

/** A template with values in it has no exact name. */
function readText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node['quasis'] as { value: { cooked: string } }[]
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}
