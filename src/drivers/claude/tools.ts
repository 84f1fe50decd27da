import { actionsBy, edits, editsMany, fetches, mcpNamed, reads, runs, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

const edit = { old: 'old_string', new: 'new_string', everywhere: 'replace_all' }

/** A cell of a notebook that is replaced is named by its id: which text stood there is not told. */
const cell = { old: '', new: 'new_source' }

export const actions = actionsBy(
  shell,
  {
    PowerShell: runs('command'),
    Monitor: runs('command'),
    Write: writes('file_path', 'content'),
    Edit: edits('file_path', edit),
    MultiEdit: editsMany('file_path', 'edits', edit),
    NotebookEdit: edits('notebook_path', cell),
    Read: reads('file_path'),
    NotebookRead: reads('notebook_path'),
    Grep: reads('path'),
    Glob: reads('path'),
    LS: reads('path'),
    WebFetch: fetches('url'),
  },
  mcpNamed('mcp__', '__'),
)
