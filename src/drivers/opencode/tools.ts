import { actionsBy, edits, editsMany, eitherOf, fetches, mcpNamed, patches, reads, writes } from '../tool-actions.ts'
import { acpTools } from '../acp-tools.ts'
import { shell } from './shell.ts'

const edit = { old: 'oldString', new: 'newString', everywhere: 'replaceAll' }

export const actions = actionsBy(
  shell,
  {
    ...acpTools,
    write: writes('filePath', 'content'),
    edit: eitherOf(edits('filePath', edit), patches('diff')),
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
