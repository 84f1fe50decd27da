import type { Surface } from '../../contract/rule.ts'

/** What kind of thing a tool does, as the prefilter tells them apart: it knows a call by the name of its tool. */
export type ToolKind = 'shell' | 'change' | 'read' | 'fetch' | 'mcp' | 'none'

/** The tools of all CLIs, in lower case. One that stands nowhere here is taken for one of any kind. */
const names: Record<Exclude<ToolKind, 'mcp'>, readonly string[]> = {
  shell: [
    'bash',
    'powershell',
    'pwsh',
    'shell',
    'local_shell',
    'exec_command',
    'write_stdin',
    'run_shell_command',
    'write_bash',
    'write_powershell',
    'monitor',
  ],
  change: [
    'write',
    'edit',
    'multiedit',
    'notebookedit',
    'apply_patch',
    'patch',
    'create',
    'str_replace_editor',
    'str_replace',
    'insert',
    'write_file',
    'replace',
  ],
  read: ['read', 'view', 'view_image', 'read_file', 'read_many_files', 'grep', 'glob', 'search_file_content', 'list'],
  fetch: ['webfetch', 'web_fetch'],
  none: [
    'agent',
    'ask_user',
    'askuserquestion',
    'enterplanmode',
    'enter_plan_mode',
    'exitplanmode',
    'exit_plan_mode',
    'fetch_copilot_cli_documentation',
    'google_web_search',
    'list_bash',
    'question',
    'read_bash',
    'report_intent',
    'skill',
    'sql',
    'stop_bash',
    'task',
    'taskcreate',
    'taskget',
    'tasklist',
    'taskoutput',
    'taskstop',
    'taskupdate',
    'todoread',
    'todowrite',
    'toolsearch',
    'update_plan',
    'update_topic',
    'web_search',
    'websearch',
    'write_todos',
  ],
}

/** Of these CLIs an MCP server's tool may have any name with a `_` that is not one of their own. */
const ambiguous: Readonly<Record<string, readonly string[]>> = { opencode: ['apply_patch'] }

export const drivers = ['claude', 'codex', 'copilot', 'gemini', 'opencode']

/** An expression on the name of a tool for each kind. */
export const toolPatterns = (driver: string): [ToolKind, string][] => {
  const own = ambiguous[driver]
  const isSure = (name: string): boolean => own === undefined || !name.includes('_') || own.includes(name)
  const known = Object.entries(names).map(([kind, all]): [ToolKind, string] => [
    kind as ToolKind,
    `^(${all.filter(isSure).join('|')})$`,
  ])
  return [...known, ...(own === undefined ? [['mcp', '^mcp__'] as [ToolKind, string]] : [])]
}

/** The kinds of tools that can bring about what a rule looks at; a patch may also be given to a shell. */
export const kindOfSurface: Partial<Record<Surface, ToolKind>> = {
  shell: 'shell',
  write: 'change',
  edit: 'change',
  delete: 'change',
  read: 'read',
  fetch: 'fetch',
  mcp: 'mcp',
}
