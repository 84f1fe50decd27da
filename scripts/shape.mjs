// Measures the shape of the code, of this checkout or beside that of another commit:
//   npm run shape -- [--at REV] [--json] [--exports [FOLDER]]
// --exports lists the needless exports instead, those below src/FOLDER alone if one is named.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import { countHops, readWalks } from './walks.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const FEATURES = ['channels', 'inbox', 'leases', 'loops', 'memory', 'notes', 'rules', 'sessions', 'tasks', 'team']
const GENERATED = /^\/[/*].*\b(?:[Gg]enerated|Made) by\b/

const isTest = (file) => file.endsWith('.test.ts') || file.startsWith('test/')
const countLines = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

const listFiles = (root, folder) =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
        .filter((file) => !file.split(path.sep).includes('fixtures'))
    : []

/** Calls `visit` with each node and its ancestors, the nearest first. */
function walk(node, visit, ancestors = []) {
  visit(node, ancestors)
  for (const child of Object.values(node).flat())
    if (typeof child?.type === 'string') walk(child, visit, [node, ...ancestors])
}

const keyNames = (pattern) => pattern.properties.map(({ key }) => key?.name ?? '*')

/** The names that `import()` is asked for: `const { a } = await import()`, `(await import()).a`, `import().then(({ a }) => …)`. */
function lazyNames([parent, grandparent]) {
  if (parent?.type === 'AwaitExpression' && grandparent?.id?.type === 'ObjectPattern') return keyNames(grandparent.id)
  if (parent?.type === 'AwaitExpression' && grandparent?.type === 'MemberExpression' && !grandparent.computed)
    return [grandparent.property.name]
  const taken = grandparent?.type === 'CallExpression' ? grandparent.arguments[0]?.params?.[0] : undefined
  return taken?.type === 'ObjectPattern' ? keyNames(taken) : ['*']
}

/** What a node takes from another file: `*` stands for all of it. */
function importedBy(node, ancestors) {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.specifiers.map(({ type, imported }) =>
        type === 'ImportSpecifier' ? imported.name : type === 'ImportDefaultSpecifier' ? 'default' : '*',
      )
    case 'ExportNamedDeclaration':
      return node.specifiers.map(({ local }) => local.name)
    case 'ExportAllDeclaration':
      return ['*']
    case 'ImportExpression':
      return lazyNames(ancestors)
    case 'TSImportType':
      return [node.qualifier?.name ?? '*']
    default:
      return []
  }
}

const declaredIn = (declaration) =>
  (declaration.declarations ?? [declaration]).map(({ id }) => id?.name).filter((name) => name !== undefined)

const isFunction = (node) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node?.type)

/** Top-level functions, whether declared or kept in a constant. */
const functionNames = (statement) =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.filter(({ init }) => isFunction(init)).map(({ id }) => id.name)
    : isFunction(statement)
      ? [statement.id.name]
      : []

const isReference = (node, [parent]) =>
  !(parent.type === 'MemberExpression' && parent.property === node && !parent.computed) &&
  !(
    ['Property', 'MethodDefinition', 'PropertyDefinition', 'TSPropertySignature'].includes(parent.type) &&
    parent.key === node &&
    !parent.computed
  )

const privateName = ({ key, accessibility }) =>
  key?.type === 'PrivateIdentifier' || accessibility === 'private' ? key.name : undefined

/** How often each private method of a class is used in it. */
function methodUses(classBody) {
  const uses = new Map()
  for (const member of classBody.body)
    if ((member.type === 'MethodDefinition' && member.kind === 'method') || isFunction(member.value))
      if (privateName(member) !== undefined) uses.set(privateName(member), 0)
  walk(classBody, ({ type, object, property }) => {
    const isOwn = object?.type === 'ThisExpression' || property?.type === 'PrivateIdentifier'
    if (type === 'MemberExpression' && isOwn && uses.has(property.name))
      uses.set(property.name, uses.get(property.name) + 1)
  })
  return [...uses.values()]
}

/** All that is counted in one file. */
function readSource(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const ast = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file)
  const source = {
    file,
    text,
    exports: [],
    imports: [],
    words: new Set(),
    routes: [],
    functionUses: [],
    methodUses: [],
  }
  const references = new Map()
  walk(ast, (node, ancestors) => {
    const from = node.source?.value
    if (typeof from === 'string' && from.startsWith('.'))
      for (const name of importedBy(node, ancestors))
        source.imports.push({ target: path.join(path.dirname(file), from), name })
    if (node.type === 'Identifier' && isReference(node, ancestors))
      references.set(node.name, (references.get(node.name) ?? 0) + 1)
    if (node.type === 'Identifier') source.words.add(node.name)
    if (node.type === 'Literal') source.words.add(node.value)
    if (node.type === 'ClassBody') source.methodUses.push(...methodUses(node))
    const route = node.type === 'Property' ? readRoute(node) : undefined
    if (route !== undefined) source.routes.push(route)
  })
  for (const statement of ast.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration !== null) source.exports.push(...declaredIn(statement.declaration))
      source.exports.push(...statement.specifiers.map(({ exported }) => exported.name))
    }
    // One of the references is the declaration itself.
    for (const name of functionNames(statement)) source.functionUses.push([name, (references.get(name) ?? 1) - 1])
  }
  source.functionUses = source.functionUses.filter(([name]) => !source.exports.includes(name)).map(([, uses]) => uses)
  return source
}

/** `name: { method, path }`, also inside a call: a route and the place that declares it. */
function readRoute({ key, value }) {
  const card = value?.type === 'CallExpression' ? value.arguments[0] : value
  const fields = new Map((card?.properties ?? []).map((field) => [field.key?.name, field.value?.value]))
  const route = fields.get('path')
  return fields.has('method') && typeof route === 'string' && route.startsWith('/v1/')
    ? { name: key.name, path: route }
    : undefined
}

const knows = ({ words }, route) => words.has(route.name) || words.has(route.path)

/** How many files know a route, by its name or its path. Names of one word are left out: others use them, too. */
function measureRoutes(sources) {
  const written = sources.filter(({ text }) => !GENERATED.test(text))
  const routes = new Map(written.flatMap((source) => source.routes).map((route) => [route.name, route]))
  const telling = [...routes.values()].filter(({ name }) => /[A-Z]/.test(name))
  const places = sum(telling.map((route) => written.filter((source) => knows(source, route)).length))
  return {
    routes: routes.size,
    filesThatNameARoute: written.filter((source) => telling.some((route) => knows(source, route))).length,
    filesPerRoute: places / Math.max(1, telling.length),
  }
}

const listUses = (files) =>
  new Set(files.flatMap(({ imports }) => imports).map(({ target, name }) => `${target} ${name}`))
const isUsed = (uses, file, name) => uses.has(`${file} ${name}`) || uses.has(`${file} *`)

/** Exports that no product code imports. A file that a script names is an entry point. */
function findNeedlessExports(root, sources) {
  const users = ['test', 'bench', 'tools']
    .flatMap((folder) => listFiles(root, folder))
    .filter((file) => /\.tsx?$/.test(file))
  const readers = [...sources, ...users.map((file) => readSource(root, file))]
  const product = listUses(readers.filter(({ file }) => !isTest(file)))
  const tests = listUses(readers.filter(({ file }) => isTest(file)))
  const scripts = ['scripts', 'tools'].flatMap((folder) => listFiles(root, folder))
  const entries = scripts
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\bsrc\/[\w./-]+\.tsx?\b/g) ?? [])
  return sources
    .filter(({ file }) => !isTest(file) && !entries.includes(file))
    .flatMap(({ file, exports }) => [...new Set(exports)].map((name) => ({ file, name })))
    .filter(({ file, name }) => !isUsed(product, file, name))
    .map(({ file, name }) => ({ file, name, isTested: isUsed(tests, file, name) }))
}

/** Files that carry the name of a feature, and the folders that they are in. */
function measureFeature(files, feature) {
  const words = [feature, feature.replace(/s$/, '')]
  const own = files.filter((file) => file.split(/[/.-]/).some((word) => words.includes(word)))
  return { files: own.length, folders: new Set(own.map((file) => path.dirname(file))).size }
}

/** Hops and files of each walk of docs/architecture.md, which a test holds to the code. */
function measureWalks(root) {
  const page = path.join(root, 'docs/architecture.md')
  const walks = existsSync(page) ? readWalks(readFileSync(page, 'utf8')) : []
  return Object.fromEntries(walks.map((each) => [each.title, countHops(each)]))
}

const countOnce = (uses) => uses.filter((count) => count === 1).length

export function measure(root) {
  const files = listFiles(root, 'src')
  const sources = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readSource(root, file))
  const product = sources.filter(({ file }) => !isTest(file))
  const linesOf = (names) => sum(names.map((file) => countLines(readFileSync(path.join(root, file), 'utf8'))))
  const functions = product.flatMap(({ functionUses }) => functionUses)
  const methods = product.flatMap((source) => source.methodUses)
  const needless = findNeedlessExports(root, sources)
  const lines = {
    typescript: sum(product.map(({ text }) => countLines(text))),
    yaml: linesOf(files.filter((file) => /\.ya?ml$/.test(file))),
    tools: linesOf(listFiles(root, 'tools').filter((file) => /\.(?:mjs|ts)$/.test(file) && !isTest(file))),
  }
  return {
    groups: new Set(files.map((file) => file.split('/')[1])).size,
    folders: new Set(files.map((file) => path.dirname(file))).size,
    files: product.length,
    features: Object.fromEntries(
      FEATURES.map((feature) => [
        feature,
        measureFeature(
          product.map(({ file }) => file),
          feature,
        ),
      ]),
    ),
    lines: { ...lines, all: sum(Object.values(lines)) },
    daemonLines: sum(product.filter(({ file }) => file.startsWith('src/daemon/')).map(({ text }) => countLines(text))),
    ...measureRoutes(product),
    privateFunctions: functions.length,
    privateFunctionsOnce: countOnce(functions),
    privateMethods: methods.length,
    privateMethodsOnce: countOnce(methods),
    walks: measureWalks(root),
    needlessExports: needless.length,
    needlessButTested: needless.filter(({ isTested }) => isTested).length,
    needless,
  }
}

/** Measures another commit in a temporary directory. */
function measureCommit(revision) {
  const box = mkdtempSync(path.join(tmpdir(), 'rein-shape-'))
  try {
    const archive = execFileSync('git', ['archive', revision], { cwd: ROOT, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', box], { input: archive })
    return measure(box)
  } finally {
    rmSync(box, { recursive: true, force: true })
  }
}

const percent = (part, all) => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`)
const grouped = (number) => number.toLocaleString('en')

const ROWS = {
  'folders in src/, with all below': ({ groups, folders }) => `${groups}, ${folders}`,
  'product files': ({ files }) => grouped(files),
  ...Object.fromEntries(
    FEATURES.map((feature) => [
      `  ${feature}: files, in folders`,
      ({ features }) => `${features[feature].files}, ${features[feature].folders}`,
    ]),
  ),
  'product lines': ({ lines }) => grouped(lines.all),
  '  TypeScript in src/': ({ lines }) => grouped(lines.typescript),
  '  YAML in src/': ({ lines }) => grouped(lines.yaml),
  '  tools/': ({ lines }) => grouped(lines.tools),
  'lines in daemon/': ({ daemonLines }) => grouped(daemonLines),
  routes: ({ routes }) => String(routes),
  'files that name a route': ({ filesThatNameARoute }) => String(filesThatNameARoute),
  'files that know a given route': ({ filesPerRoute }) => filesPerRoute.toFixed(1),
  'private functions': ({ privateFunctions }) => grouped(privateFunctions),
  '  used once': (shape) => percent(shape.privateFunctionsOnce, shape.privateFunctions),
  'private methods': ({ privateMethods }) => grouped(privateMethods),
  '  used once ': (shape) => percent(shape.privateMethodsOnce, shape.privateMethods),
  'walks: hops, files': ({ walks }) =>
    Object.values(walks)
      .map(({ hops, files }) => `${hops}, ${files}`)
      .join('; ') || '–',
  'needless exports': ({ needlessExports }) => String(needlessExports),
  '  of them imported by tests': ({ needlessButTested }) => String(needlessButTested),
}

/** One column for each shape. */
export function formatShapes(shapes) {
  const rows = [
    ['', ...Object.keys(shapes)],
    ...Object.entries(ROWS).map(([label, cell]) => [label, ...Object.values(shapes).map(cell)]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column])))
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n')
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { at: { type: 'string' }, json: { type: 'boolean' }, exports: { type: 'boolean' } },
  })
  const shapes = { ...(values.at === undefined ? {} : { [values.at]: measureCommit(values.at) }), here: measure(ROOT) }
  const below = `src/${positionals[0] ?? ''}`
  if (values.exports)
    for (const { file, name, isTested } of shapes.here.needless.filter((each) => each.file.startsWith(below)))
      console.log(`${file}: ${name}${isTested ? ' (tests)' : ''}`)
  else console.log(values.json ? JSON.stringify(shapes, undefined, 2) : formatShapes(shapes))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
