import { actionsBy, edits, fetchesFrom, mcpNamed, reads, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

export const actions = actionsBy(
  shell,
  {
    write_file: writes('file_path', 'content'),
    replace: edits('file_path', { old: 'old_string', new: 'new_string', everywhere: 'allow_multiple' }),
    read_file: reads('file_path', 'absolute_path'),
    read_many_files: reads('include', 'paths'),
    grep_search: reads('dir_path'),
    glob: reads('dir_path'),
    list_directory: reads('dir_path'),
    web_fetch: fetchesFrom('prompt'),
  },
  mcpNamed('mcp_', '_'),
)
