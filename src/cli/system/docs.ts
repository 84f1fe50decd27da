import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DocsPageView, DocsView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Env } from '../../client/agent-env.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { alignColumns } from '../format.ts'
import { commandGroups, scriptCommands } from '../help-groups.ts'
import { documentLines } from '../tui/run/render.ts'
import { paint } from '../tui/terminal/line.ts'
import { isTerminal } from '../tui/terminal/terminal.ts'
import { readDocsPages } from './docs-pages.ts'
import { nearPages } from './near-pages.ts'

interface DocsFlags {
  path?: boolean
}

/** Wider lines are hard to read. */
const widestPage = 100

export const run = async (
  { out, env, command }: CliContext,
  { path: isPathOnly, json }: DocsFlags & JsonFlag,
  topic?: string,
): Promise<void> => {
  const pages = readDocsPages()
  if (topic === undefined) {
    if (json) return out.document({ pages, text: null } satisfies DocsView)
    if (isPathOnly) return out.line(dirname(pages[0]?.path ?? ''))
    out.line(listPages(pages, out.style.bold))
    return out.hint(`Read one: ${command()} docs ${pages[0]?.topic}`)
  }
  const page = findPage(pages, topic)
  if (isPathOnly && !json) return out.line(page.path)
  const text = readFileSync(page.path, 'utf8')
  if (json) return out.document({ pages: [page], text } satisfies DocsView)
  if (!isTerminal(env) || out.isAgent) return out.line(text.trimEnd())
  const columns = Math.min(process.stdout.columns, widestPage)
  const lines = documentLines(text, { columns, isUnfolded: true }).map((line) => paint(line, columns, out.style))
  if (!showInPager(lines.join('\n'), env)) out.line(lines.join('\n'))
}

const listPages = (pages: readonly DocsPageView[], bold: (text: string) => string): string => {
  const rows = alignColumns(pages.map(({ topic, about }) => [`  ${topic}`, about]))
  return pages
    .flatMap(({ section }, index) => [
      ...(section === pages[index - 1]?.section ? [] : [...(index === 0 ? [] : ['']), bold(section)]),
      rows[index] ?? '',
    ])
    .join('\n')
}

/** The page of this name, or the only one whose name begins so. */
const findPage = (pages: readonly DocsPageView[], topic: string): DocsPageView => {
  const wanted = topic.toLowerCase().replace(/\.(md|json)$/, '')
  const begun = pages.filter((page) => page.topic.startsWith(wanted))
  const found = pages.find((page) => page.topic === wanted) ?? (begun.length === 1 ? begun[0] : undefined)
  if (found !== undefined) return found
  const near = nearPages(pages, wanted, readHeadings).map((page) => `rein docs ${page.topic}`)
  const isCommand = [...commandGroups, scriptCommands].some(({ commands }) => commands.includes(wanted))
  throw new ReinError(
    'not_found',
    `There is no page "${topic}".`,
    [
      ...(isCommand ? [`How the command is used: rein help ${wanted}`] : []),
      near.length === 0 ? 'List the pages: rein docs' : `Did you mean: ${near.join(', ')}?`,
    ].join('\n'),
  )
}

const readHeadings = ({ path }: DocsPageView): string[] => readFileSync(path, 'utf8').match(/^#+ .+$/gm) ?? []

/** False if the shell finds no such program. */
const showInPager = (text: string, env: Env): boolean => {
  const { status } = spawnSync('sh', ['-c', env['PAGER'] || 'less'], {
    input: `${text}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, LESS: env['LESS'] ?? 'FRX' },
  })
  return status !== 127
}
