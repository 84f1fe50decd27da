// The walks of docs/architecture.md: blocks marked `walk`, one hop on each line, as `file function`, below its caller.
// A hop must be declared in its file, and its caller must call it (by `via` where a port, a route or a parameter has another name).
// `>` begins in another process or thread, or at an event, where no call leads to it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const ROOT = path.join(import.meta.dirname, '..')

/** The walks of a page: each with its title and its hops. */
export function readWalks(page) {
  return [...page.matchAll(/^```walk (.+)\n([^`]*)^```$/gm)].map(([, title, block]) => ({
    title,
    hops: block
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, start, indent, file, name, via] =
          /^(> )?((?: {2})*)(\S+)(?: ([\w#]+))?(?: via (\w+))?$/.exec(line) ?? []
        if (file === undefined) throw new Error(`"${line}" is no hop of the walk "${title}".`)
        return {
          isStart: start !== undefined,
          depth: indent.length / 2,
          file,
          name,
          via: via ?? name?.replace('#', ''),
        }
      }),
  }))
}

const keyName = (node) => (node?.type === 'PrivateIdentifier' ? `#${node.name}` : (node?.name ?? node?.value))

/** Calls `visit` with each node of a tree. */
function visitNodes(node, visit) {
  visit(node)
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visitNodes(child, visit)
}

/** The nodes that declare a name in a file: functions, constants, methods, properties. */
function findDeclarations(text, file, name) {
  const found = []
  visitNodes(parseAst(text, { lang: 'ts' }, file), (node) => {
    const declared = node.type === 'VariableDeclarator' || node.type.endsWith('Declaration') ? node.id : node.key
    if (keyName(declared) === name) found.push(node)
  })
  return found
}

/** The names of all functions that are called in some nodes, as `name()` or as `some.name()`. */
function findCalls(nodes) {
  const names = new Set()
  for (const node of nodes)
    visitNodes(node, ({ type, callee }) => {
      if (type === 'CallExpression') names.add(keyName(callee.type === 'MemberExpression' ? callee.property : callee))
    })
  return [...names].filter((name) => name !== undefined).map((name) => String(name).replace('#', ''))
}

/** What is wrong with a walk: hops that are not there, or that the hop above them does not call. */
export function checkWalk({ hops }, root = ROOT) {
  const problems = []
  /** The calls of the last hop at each depth. */
  const callers = []
  for (const { isStart, depth, file, name, via } of hops) {
    const place = path.join(root, file)
    const text = existsSync(place) ? readFileSync(place, 'utf8') : ''
    const caller = depth === 0 ? undefined : callers.at(depth - 1)
    const isCode = file.endsWith('.ts') && name !== undefined
    const declared = isCode ? findDeclarations(text, file, name) : []
    if (isCode ? declared.length === 0 : text === '') problems.push(`${file} has no ${name ?? 'text'}`)
    else if (!isStart && !caller?.includes(via)) problems.push(`the hop above does not call ${via} (${file})`)
    callers.length = depth
    callers.push(findCalls(declared))
  }
  return problems
}

export const countHops = ({ hops }) => ({ hops: hops.length, files: new Set(hops.map(({ file }) => file)).size })
