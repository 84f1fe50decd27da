import { edits, editsMany, fetches, readTools, reads, runs, writes } from '../tool-actions.ts'
import { shell } from './shell.ts'

const edit = { old: 'old_string', new: 'new_string', everywhere: 'replace_all' }

/** A replaced notebook cell is named by its id: its old text is unknown. */
const cell = { old: '', new: 'new_source' }

export const { tools, actions } = readTools(shell, {
  own: {
    Bash: 'shell',
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
    BashOutput: 'wait',
    TaskOutput: 'wait',
    Sleep: 'wait',
    Agent: 'agent',
    Task: 'agent',
    SendMessage: 'delegate',
    // A skill or a command may hold lines that are run when it is loaded.
    Skill: 'delegate',
    SlashCommand: 'delegate',
    AskUserQuestion: 'none',
    CronList: 'none',
    DeferredToolPlaceholder: 'none',
    EnterPlanMode: 'none',
    ExitPlanMode: 'none',
    KillShell: 'none',
    ListAgents: 'none',
    ListMcpResourcesTool: 'none',
    ReadMcpResourceTool: 'none',
    ReportFindings: 'none',
    ScheduleWakeup: 'none',
    TaskCreate: 'none',
    TaskGet: 'none',
    TaskList: 'none',
    TaskStop: 'none',
    TaskUpdate: 'none',
    TodoRead: 'none',
    TodoWrite: 'none',
    ToolSearch: 'none',
    WebSearch: 'none',
    // A schedule may be kept in a file of the project.
    CronCreate: 'any',
    CronDelete: 'any',
    EnterWorktree: 'any',
    ExitWorktree: 'any',
    Workflow: 'any',
  },
  mcp: { prefix: 'mcp__', between: '__' },
})
