import { acpTools } from '../acp-tools.ts'
import { edits, editsMany, eitherOf, fetches, patches, readTools, reads, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

const edit = { old: 'oldString', new: 'newString', everywhere: 'replaceAll' }

/** A tool of an MCP server may have any name with a `_`: the only such name here is surely opencode's. */
export const { tools, actions } = readTools(shell, {
  own: {
    bash: 'shell',
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
    task: 'agent',
    skill: 'delegate',
    question: 'none',
    todoread: 'none',
    todowrite: 'none',
    websearch: 'none',
  },
  told: acpTools,
  mcp: { prefix: '', between: '_' },
})
