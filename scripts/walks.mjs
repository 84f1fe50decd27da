// The walks of docs/architecture.md: blocks marked `walk`, one hop on each line, as `file function`.
// A hop must be declared in its file, and named in an earlier hop (by `via` where a port or a route has another name).
// `>` begins in another process or thread, or at an event, where no name leads to it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const ROOT = path.join(import.meta.dirname, '..')

/** The walks of a page: each with its title and its hops. */
export function readWalks(page) {
  return [...page.matchAll(/^```walk (.+)\n([^`]*)^```$/gm)].map(([, title, block]) => ({
    title,
    hops: block
      .trim()
      .split('\n')
      .map((line) => {
        const [, start, file, name, via] = /^(> )?(\S+)(?: ([\w#]+))?(?: via (\w+))?$/.exec(line) ?? []
        if (file === undefined) throw new Error(`"${line}" is no hop of the walk "${title}".`)
        return { isStart: start !== undefined, file, name, via: via ?? name?.replace('#', '') }
      }),
  }))
}

const keyName = (node) => (node?.type === 'PrivateIdentifier' ? `#${node.name}` : (node?.name ?? node?.value))

/** The text of each declaration of a name in a file: functions, constants, methods, properties. */
function findDeclarations(text, file, name) {
  const found = []
  const visit = (node) => {
    const declared = node.type === 'VariableDeclarator' || node.type.endsWith('Declaration') ? node.id : node.key
    if (keyName(declared) === name) found.push(text.slice(node.start, node.end))
    for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }, file))
  return found.join('\n')
}

/** What is wrong with a walk: hops that are not there, or that no earlier hop names. */
export function checkWalk({ hops }, root = ROOT) {
  const problems = []
  let passed = ''
  for (const { isStart, file, name, via } of hops) {
    const place = path.join(root, file)
    const text = existsSync(place) ? readFileSync(place, 'utf8') : ''
    const declared = file.endsWith('.ts') && name !== undefined ? findDeclarations(text, file, name) : text
    if (declared === '') problems.push(`${file} has no ${name ?? 'text'}`)
    else if (!isStart && !new RegExp(`\\b${via}\\b`).test(passed))
      problems.push(`no earlier hop names ${via} (${file})`)
    passed += `\n${declared}`
  }
  return problems
}

export const countHops = ({ hops }) => ({ hops: hops.length, files: new Set(hops.map(({ file }) => file)).size })
