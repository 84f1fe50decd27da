import { actionsBy, edits, fetches, mcpNamed, patches, reads, runs, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

export const actions = actionsBy(
  shell,
  {
    write_bash: runs('input'),
    create: writes('path', 'file_text'),
    edit: edits('path', { old: 'old_str', new: 'new_str' }),
    apply_patch: patches('input', 'patch'),
    view: reads('path'),
    grep: reads('paths', 'path'),
    glob: reads('paths', 'path'),
    web_fetch: fetches('url'),
  },
  mcpNamed('', '-'),
)
