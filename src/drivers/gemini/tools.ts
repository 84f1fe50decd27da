import type { Action, ToolActions } from '../../contract/action.ts'
import { isObject, textOf } from '../../util/ndjson.ts'
import { acpTools } from '../acp-tools.ts'
import { actionsBy, diffs, edits, eitherOf, fetchesFrom, mcpNamed, reads, runs, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

type Input = Record<string, unknown>

/** Over its protocol it shows the changes of a file, but not the input of the tool. */
const shownChanges = ({ changes }: Input): ToolActions => {
  const all = Array.isArray(changes) ? changes.filter(isObject).map(changeOf) : []
  return { actions: all.length === 0 ? [{ kind: 'unreadable', why: 'no changes' }] : all, rewritten: () => null }
}

const changeOf = ({ path, isNew, old, new: text }: Input): Action => {
  const file = textOf(path) ?? ''
  const replacement = { old: textOf(old) ?? '', new: textOf(text) ?? '', isEverywhere: false }
  return isNew === true
    ? { kind: 'write', path: file, content: replacement.new }
    : { kind: 'edit', path: file, replacements: [replacement] }
}

/** There a tool of an MCP server has a title. */
const titled = ({ description }: Input): ToolActions => {
  const [, tool, server] = /^(.+) \((.+) MCP Server\)$/.exec(textOf(description) ?? '') ?? []
  const actions = tool === undefined || server === undefined ? [] : [{ kind: 'mcp' as const, server, tool }]
  return { actions, rewritten: () => null }
}

export const actions = actionsBy(
  shell,
  {
    ...acpTools,
    write_file: writes('file_path', 'content'),
    replace: edits('file_path', { old: 'old_string', new: 'new_string', everywhere: 'allow_multiple' }),
    read_file: reads('file_path', 'absolute_path'),
    read_many_files: reads('include', 'paths'),
    grep_search: reads('dir_path'),
    glob: reads('dir_path'),
    list_directory: reads('dir_path'),
    web_fetch: eitherOf(fetchesFrom('prompt'), fetchesFrom('url')),
    edit: eitherOf(shownChanges, diffs('file_path', 'diff')),
    exec: runs('command'),
    fetch: fetchesFrom('description'),
    other: titled,
  },
  mcpNamed('mcp_', '_'),
)
