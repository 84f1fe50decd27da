import type { Action } from '../../contract/action.ts'
import { textOf } from '../../base/util/json.ts'
import { acpTools } from '../acp-tools.ts'
import { listObjects } from '../json.ts'
import {
  diffs,
  edits,
  eitherOf,
  fetchesFrom,
  readTools,
  reads,
  runs,
  type ToolReader,
  writes,
} from '../tool-actions.ts'
import { shell } from './shell.ts'

/** The protocol shows the changes of a file, but not the tool's input. */
const shownChanges: ToolReader = {
  kind: 'change',
  read: ({ changes }) => {
    const all = listObjects(changes).map(({ path, isNew, old, new: text }): Action => {
      const file = textOf(path) ?? ''
      const replacement = { old: textOf(old) ?? '', new: textOf(text) ?? '', isEverywhere: false }
      return isNew === true
        ? { kind: 'write', path: file, content: replacement.new }
        : { kind: 'edit', path: file, replacements: [replacement] }
    })
    return { actions: all.length === 0 ? [{ kind: 'unreadable', why: 'no changes' }] : all, rewritten: () => null }
  },
}

export const { tools, actions } = readTools(shell, {
  own: {
    run_shell_command: 'shell',
    write_file: writes('file_path', 'content'),
    replace: edits('file_path', { old: 'old_string', new: 'new_string', everywhere: 'allow_multiple' }),
    read_file: reads('file_path', 'absolute_path'),
    read_many_files: reads('include', 'paths'),
    grep_search: reads('dir_path'),
    glob: reads('dir_path'),
    list_directory: reads('dir_path'),
    web_fetch: {
      kind: 'fetch',
      // The protocol shows only the beginning of a long prompt.
      read: (input) => {
        const told = eitherOf(fetchesFrom('prompt'), fetchesFrom('url')).read(input)
        if (input['isCut'] !== true) return told
        const rest: Action = { kind: 'unreadable-fetch', why: 'only the beginning of the prompt is shown' }
        return { actions: [...told.actions, rest], rewritten: () => null }
      },
    },
    read_background_output: 'wait',
    invoke_agent: 'agent',
    activate_skill: 'delegate',
    ask_user: 'none',
    complete_task: 'none',
    enter_plan_mode: 'none',
    exit_plan_mode: 'none',
    get_internal_docs: 'none',
    google_web_search: 'none',
    list_background_processes: 'none',
    list_mcp_resources: 'none',
    read_mcp_resource: 'none',
    update_topic: 'none',
    write_todos: 'none',
  },
  told: {
    ...acpTools,
    edit: eitherOf(shownChanges, diffs('file_path', 'diff')),
    exec: runs('command'),
    fetch: fetchesFrom('description'),
    other: {
      kind: 'any',
      // The protocol shows a tool of an MCP server by a title.
      read: ({ description }) => {
        const title = textOf(description) ?? ''
        const [end, at] = [' MCP Server)', title.lastIndexOf(' (')]
        const isNamed = title.endsWith(end) && at > 0
        const named = { server: title.slice(at + 2, -end.length), tool: title.slice(0, at) }
        return { actions: isNamed ? [{ kind: 'mcp', ...named }] : [], rewritten: () => null }
      },
    },
  },
  mcp: { prefix: 'mcp_', between: '_' },
})
