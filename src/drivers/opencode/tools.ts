import { actionsBy, edits, editsMany, fetches, mcpNamed, patches, reads, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

const edit = { old: 'oldString', new: 'newString', everywhere: 'replaceAll' }

export const actions = actionsBy(
  shell,
  {
    write: writes('filePath', 'content'),
    edit: edits('filePath', edit),
    multiedit: editsMany('filePath', 'edits', edit),
    apply_patch: patches('patchText'),
    patch: patches('patchText'),
    read: reads('filePath'),
    grep: reads('path'),
    glob: reads('path'),
    list: reads('path'),
    webfetch: fetches('url'),
  },
  mcpNamed('', '_'),
)
