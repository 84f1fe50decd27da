import { acpTools } from '../acp-tools.ts'
import { diffs, edits, eitherOf, fetches, patches, readTools, reads, runs, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

export const { tools, actions } = readTools(shell, {
  own: {
    bash: 'shell',
    write_bash: runs('input'),
    create: writes('path', 'file_text'),
    edit: eitherOf(edits('path', { old: 'old_str', new: 'new_str' }), diffs('fileName', 'diff')),
    apply_patch: patches('input', 'patch'),
    view: reads('path'),
    grep: reads('paths', 'path'),
    glob: reads('paths', 'path'),
    web_fetch: fetches('url'),
    read_agent: 'wait',
    read_bash: 'wait',
    task: 'agent',
    skill: 'delegate',
    write_agent: 'delegate',
    ask_user: 'none',
    exit_plan_mode: 'none',
    fetch_copilot_cli_documentation: 'none',
    list_agents: 'none',
    list_bash: 'none',
    report_intent: 'none',
    session_store_sql: 'none',
    sql: 'none',
    stop_bash: 'none',
    web_search: 'none',
  },
  told: acpTools,
  mcp: { prefix: '', between: '-' },
})
