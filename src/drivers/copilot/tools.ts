import { actionsBy, diffs, edits, eitherOf, fetches, mcpNamed, patches, reads, runs, writes } from '../tool-actions.ts'
import { acpTools } from '../acp-tools.ts'
import { shell } from './shell.ts'

export const actions = actionsBy(
  shell,
  {
    ...acpTools,
    write_bash: runs('input'),
    create: writes('path', 'file_text'),
    edit: eitherOf(edits('path', { old: 'old_str', new: 'new_str' }), diffs('fileName', 'diff')),
    apply_patch: patches('input', 'patch'),
    view: reads('path'),
    grep: reads('paths', 'path'),
    glob: reads('paths', 'path'),
    web_fetch: fetches('url'),
  },
  mcpNamed('', '-'),
)
