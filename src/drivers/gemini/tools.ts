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
  const title = textOf(description) ?? ''
  const [end, at] = [' MCP Server)', title.lastIndexOf(' (')]
  const isNamed = title.endsWith(end) && at > 0
  const named = { server: title.slice(at + 2, -end.length), tool: title.slice(0, at) }
  return { actions: isNamed ? [{ kind: 'mcp', ...named }] : [], rewritten: () => null }
}

/** Over its protocol it shows the beginning of a long prompt. */
const fetches = (input: Input): ToolActions => {
  const told = eitherOf(fetchesFrom('prompt'), fetchesFrom('url'))(input)
  if (input['isCut'] !== true) return told
  const rest: Action = { kind: 'unreadable-fetch', why: 'only the beginning of the prompt is shown' }
  return { actions: [...told.actions, rest], rewritten: () => null }
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
    web_fetch: fetches,
    edit: eitherOf(shownChanges, diffs('file_path', 'diff')),
    exec: runs('command'),
    fetch: fetchesFrom('description'),
    other: titled,
  },
  mcpNamed('mcp_', '_'),
)
