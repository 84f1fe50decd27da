/** A variable, setting or flag of a tool that Rein takes the place of, and where its purpose went. */
export interface Predecessor {
  tool: 'ccmux' | 'nbs-claude' | 'clai' | 'Nancy' | 'nudge'
  name: string
  /** The setting that serves the same purpose. */
  key?: string
  /** What to know about the setting, or what serves the purpose instead of one. */
  note?: string
}

const ccmux: Omit<Predecessor, 'tool'>[] = [
  { name: 'CCMUX_RUNTIME_DIR', note: '`XDG_RUNTIME_DIR`, or `REIN_HOME` for everything in one directory' },
  {
    name: 'CCMUX_TMUX_SESSION',
    key: 'tmux.session',
    note: "of Rein's own tmux server, [with all agents](supervision.md#hosts)",
  },
  { name: 'CCMUX_IDLE_THRESHOLD', key: 'agents.typing_quiet_s' },
  {
    name: 'CCMUX_SILENCE_TIMEOUT',
    key: 'agents.screen_quiet_s',
    note: 'only for a screen that shows neither a prompt nor what is known: ready is told by hooks',
  },
  { name: 'CCMUX_MCP_PORT', key: 'daemon.port' },
  { name: 'CCMUX_BACKOFF_INITIAL', key: 'agents.restart_backoff_s' },
  {
    name: 'CCMUX_BACKOFF_CAP',
    key: 'agents.restart_backoff_max_s',
    note: 'an agent is given up after 10 crashes within an hour; as there, never: `agents.restart_limit` is 0',
  },
  { name: 'CCMUX_HOOK_SCRIPT', note: 'nothing to set: each agent gets the hooks of the installed Rein at its start' },
  { name: 'CCMUX_LOG_FILE', key: 'log.file' },
  { name: 'HTTP_PROXY', note: 'the same variable, passed on to agents; a missing one is at most a warning' },
  { name: 'HTTPS_PROXY', note: 'the same variable, passed on to agents; a missing one is at most a warning' },
  { name: '--dangerously-skip-permissions', key: 'agents.permission_mode', note: 'never by default' },
  { name: '--permission-mode', key: 'agents.permission_mode' },
]

const nbs: Omit<Predecessor, 'tool'>[] = [
  { name: 'NBS_POLL_INTERVAL', key: 'notify.safety_poll_s', note: 'off by default' },
  { name: 'NBS_POLL_DISABLE', key: 'notify.enabled', note: '`NBS_POLL_DISABLE=1` is `false`' },
  { name: 'NBS_BUS_CHECK_INTERVAL', key: 'notify.check_s' },
  { name: 'NBS_NOTIFY_COOLDOWN', key: 'notify.cooldown_s' },
  { name: 'NBS_HANDLE', note: 'the handle given to `rein up`; the agent finds it in `REIN_HANDLE`' },
  { name: 'NBS_ROOT', note: 'the project of the current directory, or `rein up --cwd`' },
  { name: 'NBS_STARTUP_GRACE', key: 'notify.startup_grace_s' },
  { name: 'NBS_INITIAL_PROMPT', key: 'team.first_prompt', note: '`rein up --prompt` for one agent' },
  { name: 'NBS_NOTIFY_FAIL_THRESHOLD', key: 'notify.recovery_after' },
  { name: 'NBS_STANDUP_INTERVAL', key: 'team.checkin_minutes' },
  { name: 'pythia-interval', key: 'team.checkpoint_decisions' },
  { name: 'set-poll-interval', key: 'notify.safety_poll_s' },
  { name: 'NOTIFY_FAIL_COUNT', note: 'nothing to set: it is counted on the log' },
  { name: 'PYTHIA_LAST_TRIGGER_COUNT', note: 'nothing to set: it is counted on the log and survives a restart' },
]

const ingested = (variable: string, field: string): string =>
  `the same for \`rein memory ingest\`, or \`REIN_${variable}\`, or the field \`${field}\` of its JSON`

const clai: Omit<Predecessor, 'tool'>[] = [
  { name: 'CLAI_AGENT_FEED', key: 'memory.feed' },
  { name: 'CLAI_AGENT_SUGGEST', key: 'memory.suggest' },
  { name: 'CLAI_AGENT_DIAGNOSE', key: 'memory.diagnose' },
  { name: 'CLAI_EPHEMERAL', key: 'memory.ephemeral', note: 'the variable is heeded, too, like `REIN_EPHEMERAL`' },
  { name: 'CLAI_CMD', note: ingested('CMD', 'command') },
  { name: 'CLAI_CWD', note: ingested('CWD', 'cwd') },
  { name: 'CLAI_EXIT', note: ingested('EXIT', 'exit') },
  { name: 'CLAI_TS', note: ingested('TS', 'at') },
  { name: 'CLAI_SHELL', note: ingested('SHELL', 'author') },
  { name: 'CLAI_SESSION_ID', note: `${ingested('SESSION_ID', 'session')}; for agents Rein knows it` },
  { name: 'CLAI_DURATION_MS', note: ingested('DURATION_MS', 'durationMs') },
  { name: 'hooks timeout', key: 'hooks.deadline_ms' },
]

const deployed = 'nothing to set: what is deployed carries its own version'

const nancy: Omit<Predecessor, 'tool'>[] = [
  { name: 'NANCY_CURRENT_TASK_DIR', note: 'nothing to set: the daemon knows which agent a hook belongs to' },
  { name: 'NANCY_TASK_DIR', note: 'nothing to set: tasks are in `.rein/tasks/` of the project' },
  { name: 'NANCY_FRAMEWORK_ROOT', note: 'nothing to set: hooks and skills are part of the installed Rein' },
  { name: 'NANCY_HOOK_VERSION', note: deployed },
  { name: 'nancy-version', note: deployed },
  { name: 'NOTIFY_CLI_TYPE', key: 'agents.driver' },
  { name: 'CLAUDE_CONFIG_DIR', note: 'the same variable, passed on to agents' },
  { name: 'CLAUDE_SETTINGS_LOCAL', note: 'nothing to set: starting an agent writes no settings file' },
  { name: 'config.json version', note: 'nothing to set: unknown settings are named with a warning' },
  { name: 'config.json cli', key: 'agents.driver' },
  { name: 'config.json model', key: 'agents.model' },
  { name: 'config.json token_threshold', key: 'context.rotate_at', note: 'off by default' },
  { name: 'config.json deployment.hooks_deployed', note: deployed },
  { name: 'config.json deployment.hooks_version', note: deployed },
  { name: 'config.json deployment.skills_deployed', note: deployed },
  { name: 'config.json deployment.skills_version', note: deployed },
  { name: 'config.json deployment.deployed_at', note: deployed },
]

const nudge: Omit<Predecessor, 'tool'>[] = [
  { name: 'PROMPT', note: '`rein run PROMPT`; `rein up --prompt` for an agent that stays' },
  { name: '--continue', note: '`rein run --continue`, `rein up --continue`' },
  { name: '--resume', note: '`rein run --resume`, `rein up --resume`' },
  { name: '--max-turns', key: 'run.max_turns', note: '`rein run --max-turns`' },
  { name: '--model', key: 'agents.model', note: '`rein run --model`, `rein up --model`' },
  { name: '--verbose', note: '`rein run --verbose`; `rein logs` for any agent' },
  { name: '--cwd', note: '`rein run --cwd`, `rein up --cwd`' },
]

const of = (tool: Predecessor['tool'], list: Omit<Predecessor, 'tool'>[]): Predecessor[] =>
  list.map((each) => ({ tool, ...each }))

export const predecessors: readonly Predecessor[] = [
  ...of('ccmux', ccmux),
  ...of('nbs-claude', nbs),
  ...of('clai', clai),
  ...of('Nancy', nancy),
  ...of('nudge', nudge),
]
