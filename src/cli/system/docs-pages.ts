import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DocsPageView } from '../../contract/outputs/local.ts'

/** The directory of the nearest package.json: of Rein itself, whether this runs bundled or from the sources. */
const findPackage = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : findPackage(dirname(from))

/** The pages in the order of the index, docs/README.md. */
export const readDocsPages = (): DocsPageView[] => {
  const directory = join(findPackage(import.meta.dirname), 'docs')
  return parseIndex(readFileSync(join(directory, 'README.md'), 'utf8'), directory)
}

/** `## Section` begins a section of the index; each of its bullets is a page: `- [Title](file): what it is about`. */
export const parseIndex = (index: string, directory: string): DocsPageView[] => {
  let section = ''
  return index.split('\n').flatMap((line) => {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    const [, title, file = '', about = ''] = /^- \[([^\]]+)\]\(([\w.-]+)\)(?:: (.+))?$/.exec(line) ?? []
    if (title === undefined) return []
    return [{ topic: file.replace(/\.\w+$/, ''), section, title, about, path: join(directory, file) }]
  })
}
