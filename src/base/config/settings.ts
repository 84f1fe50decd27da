import {
  bytes,
  days,
  fraction,
  hosts,
  integer,
  milliseconds,
  minutes,
  name,
  oneOf,
  optionalText,
  seconds,
  text,
  yesOrNo,
  type EnumKind,
  type HostsKind,
  type Kind,
  type NameKind,
  type NumberKind,
  type TextKind,
} from './kinds.ts'

export type Setting = (NumberKind | EnumKind<string> | NameKind | HostsKind | TextKind | Kind<'boolean', boolean>) & {
  key: string
  /** The environment variable that sets it. */
  env: string
}

const kib = 1024
const mib = 1024 * kib
const day = 86_400

const kinds = {
  'agents.driver': oneOf(
    ['claude', 'codex', 'copilot', 'gemini', 'opencode'],
    'claude',
    'project',
    'The agent CLI that `rein up` starts without `--driver`.',
  ),
  'agents.context_window': integer(
    0,
    [0, 100_000_000],
    'user',
    "Size of the model's context window in tokens; 0 uses the known size of the model.",
  ),
  'agents.host': oneOf(
    ['auto', 'tmux', 'pty', 'stream'],
    'auto',
    'user',
    'Where `rein up` runs an agent without `--host`; `auto` is `tmux` where that is installed, else `pty`.',
  ),
  'agents.model': optionalText('project', 'The model that agents are started with; without one the agent CLI chooses.'),
  'agents.permission_mode': optionalText(
    'user',
    'The permission mode that agents are started with; without one the agent CLI chooses: Claude Code newer than 2.1.197 then decides itself what runs in a terminal (`auto`).',
  ),
  'agents.policy': text(
    'ask',
    'user',
    'The answer when agents ask for permission, like `ask,Read=approve,Bash=deny`; `rein up --policy` adds to it.',
  ),
  'agents.restart': yesOrNo(true, 'user', 'Whether a crashed agent is started again, with its conversation.'),
  'agents.restart_backoff_max_s': seconds(
    60,
    [1, 3600],
    'user',
    'The longest wait before a crashed agent is restarted.',
  ),
  'agents.restart_backoff_s': seconds(
    1,
    [1, 3600],
    'user',
    'The wait before a crashed agent is restarted, doubled with each crash.',
  ),
  'agents.restart_limit': integer(
    10,
    [0, 1000],
    'user',
    'Crashes within an hour after which an agent is given up: its state is `looping`; 0 never gives one up.',
  ),
  'agents.screen_quiet_s': seconds(
    4,
    [1, 60],
    'user',
    'Seconds without a change after which a screen counts as a question, where neither hooks nor an input box show the state.',
  ),
  'agents.stop_timeout_s': seconds(10, [1, 600], 'user', 'Seconds that an agent gets to exit before it is killed.'),
  'agents.typing_quiet_s': seconds(
    30,
    [0, 3600],
    'user',
    'Seconds after a person typed into a terminal during which Rein does not type there and starts no turn that can wait; with a draft, ten times as long.',
  ),
  'channels.held_limit': integer(
    10_000,
    [1, 1_000_000],
    'user',
    'Messages from channels that may wait because they have no recipient; one more is refused as `inbox_full`.',
  ),
  'channels.max_text_bytes': bytes(
    64 * kib,
    [kib, 8 * mib],
    'user',
    'Bytes that a message from a channel may have; a line of a FIFO has at most 4096 in any case.',
  ),
  'channels.out_attempts': integer(
    10,
    [1, 1000],
    'user',
    'Failed attempts after which Rein gives up on an outgoing message: `rein channel dead` lists it.',
  ),
  'channels.out_limit': integer(
    10_000,
    [1, 1_000_000],
    'user',
    'Messages that may wait to leave on one channel; one more is refused as `inbox_full`.',
  ),
  'channels.rate_per_minute': integer(
    120,
    [1, 1_000_000],
    'user',
    'Messages that one sender may bring in by HTTP within a minute; more are refused as `rate_limited`.',
  ),
  'claude.path': optionalText('user', 'The Claude Code program; without one the first `claude` on the PATH.'),
  'codex.path': optionalText('user', 'The Codex program; without one the first `codex` on the PATH.'),
  'copilot.path': optionalText('user', 'The Copilot CLI program; without one the first `copilot` on the PATH.'),
  'gemini.path': optionalText('user', 'The Gemini CLI program; without one the first `gemini` on the PATH.'),
  'opencode.path': optionalText('user', 'The opencode program; without one the first `opencode` on the PATH.'),
  'context.warn_at': fraction(
    0,
    'user',
    'The part of its context window at which an agent is told how full it is; 0 is off.',
  ),
  'context.handover_at': fraction(
    0,
    'user',
    'The part of its context window at which an agent is asked to write a handover; 0 is off, or `context.rotate_at`.',
  ),
  'context.rotate_at': fraction(
    0,
    'user',
    'The part of its context window at which an agent continues in a fresh conversation, with or without a handover; 0 is off.',
  ),
  'daemon.port': integer(
    0,
    [0, 65_535],
    'user',
    'The port on 127.0.0.1 for the page and MCP; 0 picks a free one once and keeps it.',
  ),
  'hooks.deadline_ms': milliseconds(
    200,
    [50, 10_000],
    'user',
    'Milliseconds that a hook waits for a first sign from the daemon before the agent continues without an answer; hooks that `rein setup` installed take a new value when the daemon starts.',
  ),
  'hooks.transport': oneOf(
    ['socket', 'http'],
    'socket',
    'user',
    "How hooks reach the daemon; with `http` any local user can answer in the daemon's place while it is down.",
  ),
  'inbox.ack_deadline_s': seconds(
    600,
    [1, 7 * day],
    'user',
    'Seconds after which a directive that was not acknowledged is offered again.',
  ),
  'inbox.agent_limit': integer(
    1000,
    [1, 1_000_000],
    'user',
    "Open directives that an agent may have from each other agent; one more is refused as `inbox_full`. They take no room from people's messages.",
  ),
  'inbox.context_budget': integer(
    9000,
    [8500, 9500],
    'user',
    'Characters that one hook reply may add to a conversation; agent CLIs do not show replies of over 10,000.',
  ),
  'inbox.interrupt_quiet_s': seconds(
    30,
    [0, 3600],
    'user',
    'Seconds after a person interrupted an agent during which Rein does not wake it.',
  ),
  'inbox.limit': integer(
    10_000,
    [1, 1_000_000],
    'user',
    'Open directives that an agent may have from people, from channels and from Rein itself, counted separately; one more is refused as `inbox_full`.',
  ),
  'inbox.max_text_bytes': bytes(
    mib,
    [kib, 8 * mib],
    'user',
    'Bytes that the text of a directive may have; longer ones are refused as `text_too_large`.',
  ),
  'inbox.stop_blocks': integer(
    3,
    [0, 100],
    'user',
    'How many times in a row an agent is kept from stopping because a directive waits.',
  ),
  'log.file': optionalText(
    'user',
    "The daemon's log file; without one it is `logs/rein.log` in the state directory. A relative path begins there.",
  ),
  'log.level': oneOf(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    'info',
    'user',
    'The lowest level that the daemon writes to its log file.',
  ),
  'log.max_bytes': bytes(
    10 * mib,
    [64 * kib, 1024 * mib],
    'user',
    "Bytes after which the daemon's log file is rotated.",
  ),
  'log.max_files': integer(5, [1, 100], 'user', 'Number of daemon log files that are kept, the current one included.'),
  'log.copies': integer(
    2,
    [0, 30],
    'user',
    'Daily copies of the database that are kept, for `rein daemon repair`; 0 makes none.',
  ),
  'log.idle_s': seconds(
    60,
    [1, 86_400],
    'user',
    'Seconds without a new record after which the daemon makes the daily copy and frees disk space.',
  ),
  'log.retention_days': days(
    90,
    [1, 36_500],
    'user',
    'Days that records stay in the log, except open or needed ones; a later reader gets `cursor_expired`.',
  ),
  'bus.critical_ack_s': seconds(
    30,
    [1, day],
    'user',
    'Seconds after which an unacknowledged critical event is raised again, and after as many more with a person.',
  ),
  'bus.dedup_window_s': seconds(
    300,
    [0, day],
    'user',
    'Seconds within which events with the same `--key` count as one.',
  ),
  'bus.high_ack_s': seconds(120, [1, day], 'user', 'The same for an event of priority `high`.'),
  'bus.lease_s': seconds(
    300,
    [1, day],
    'user',
    'Seconds that an agent has for a `--once` event before another agent may take it.',
  ),
  'bus.max_payload_bytes': bytes(64 * kib, [kib, mib], 'user', 'Bytes that an event may carry.'),
  'bus.retention_bytes': bytes(
    16 * mib,
    [kib, 1024 * mib],
    'user',
    'Bytes of events kept for each project; the oldest finished ones go first, open ones never.',
  ),
  'loops.ask': integer(
    5,
    [0, 1000],
    'user',
    "An agent that does the same for the Nth time, while nothing changes, needs a person's permission; 0 is never.",
  ),
  'loops.ask_wait_s': seconds(
    600,
    [0, day],
    'user',
    'Seconds after which such a question of a headless agent that otherwise asks no person is answered with no; 0 waits for a person.',
  ),
  'loops.enabled': yesOrNo(true, 'user', 'Whether Rein watches for agents that repeat themselves.'),
  'loops.note': integer(3, [0, 1000], 'user', 'An agent that has done the same N times is told; 0 is never.'),
  'loops.stop': integer(
    8,
    [0, 1000],
    'user',
    'An agent about to do the same for the Nth time is interrupted and paused instead; 0 is never.',
  ),
  'memory.advise': yesOrNo(true, 'user', 'Whether agents get any advice from memory.'),
  'memory.advice_tokens': integer(
    250,
    [20, 2000],
    'user',
    'About how many tokens one piece of advice may take; the primer at the start may take twice as many.',
  ),
  'memory.confidence': fraction(
    0.6,
    'user',
    'The probability from which an agent gets a suggestion; 0 gives every one that passes the other rules.',
  ),
  'memory.cooldown_ms': milliseconds(
    1000,
    [0, 3_600_000],
    'user',
    'The shortest time between two pieces of advice in a conversation.',
  ),
  'memory.deny_failing': yesOrNo(
    false,
    'user',
    'Whether Rein denies a command that has failed here every time, at least three times, in the same way.',
  ),
  'memory.diagnose': yesOrNo(
    true,
    'user',
    'Whether an agent is told what a failed command usually means, and what helped here.',
  ),
  'memory.ephemeral': yesOrNo(
    false,
    'user',
    'Whether Rein remembers no command at all. For one shell or one agent: REIN_EPHEMERAL=1 in its environment.',
  ),
  'memory.feed': yesOrNo(true, 'user', 'Whether the commands of agents are remembered.'),
  'memory.holdout': fraction(
    0,
    'user',
    'The part of conversations, picked at random, that get no advice, to measure its worth against them.',
  ),
  'memory.keep': integer(
    1_000_000,
    [1000, 10_000_000],
    'user',
    'Number of commands that are remembered; the oldest go first.',
  ),
  'memory.rewrite': yesOrNo(
    false,
    'user',
    'Whether Rein corrects a command that is known to fail before it runs, like `mkdir` of a directory that exists; the model is told.',
  ),
  'memory.suggest': yesOrNo(
    true,
    'user',
    'Whether agents are told which commands fit here: the primer, variants and what comes next.',
  ),
  'memory.suggest_agents': yesOrNo(
    true,
    'user',
    "Whether people's suggestions include commands that only agents have run; for one call without them: rein memory suggest --mine.",
  ),
  'memory.wrong_tool': oneOf(
    ['off', 'advise', 'deny'],
    'advise',
    'user',
    'The reaction when an agent uses the shell although it has a tool for the job.',
  ),
  'notes.enabled': yesOrNo(
    true,
    'user',
    'Whether agents are told about notes of their project that fit their prompt or their last failure.',
  ),
  'notify.check_s': seconds(
    3,
    [1, 3600],
    'user',
    'Seconds for which messages of other agents are collected before an idle agent is woken for them.',
  ),
  'notify.cooldown_s': seconds(
    15,
    [0, 3600],
    'user',
    'The shortest time between two wakes of an agent for messages of other agents; messages from people and urgent ones do not wait.',
  ),
  'notify.enabled': yesOrNo(true, 'user', 'Whether idle agents are woken at all.'),
  'notify.max_wait_s': seconds(
    120,
    [1, day],
    'user',
    'The longest time in seconds that a message to an idle agent waits, in spite of `notify.check_s`, `notify.cooldown_s` and `notify.startup_grace_s`.',
  ),
  'notify.recovery_after': integer(
    5,
    [1, 100],
    'user',
    'Wakes without effect after which an agent gets the full text on where its skills and its inbox are.',
  ),
  'notify.safety_poll_s': seconds(
    0,
    [0, day],
    'user',
    'Seconds of idleness after which an agent is asked to look around; 0 is off, because it costs context.',
  ),
  'rooms.keep': integer(
    10_000,
    [0, 10_000_000],
    'user',
    'Messages that stay in a room; older ones are archived into a file. 0 keeps all.',
  ),
  'rooms.max_text_bytes': bytes(mib, [kib, 8 * mib], 'user', 'Bytes that a message in a room may have.'),
  'rules.enabled': yesOrNo(true, 'user', 'Whether rules, guards included, are evaluated.'),
  'rules.packs': optionalText(
    'project',
    'Packs of rules that are on, separated by spaces: `git-hygiene`, `infra`, `no-secrets`, `right-tool`, `safe-shell`. The packs of a project are added to those of the user.',
  ),
  'sessions.enabled': yesOrNo(
    true,
    'user',
    "Whether snapshots of agents' files are taken, so that any turn can be restored.",
  ),
  'sessions.include': optionalText(
    'user',
    'Globs, separated by spaces, of ignored files that snapshots include, relative to the top of the work tree.',
  ),
  'sessions.keep_days': days(30, [1, 36_500], 'user', 'Days that snapshots are kept.'),
  'sessions.max_bytes': bytes(
    4 * 1024 * mib,
    [mib, Number.MAX_SAFE_INTEGER],
    'user',
    'Bytes that the snapshots of one work tree may take up; the oldest are dropped first.',
  ),
  'sessions.max_file_bytes': bytes(
    50 * mib,
    [1, Number.MAX_SAFE_INTEGER],
    'user',
    'Bytes above which an untracked file is left out of snapshots; the snapshot lists it.',
  ),
  'tasks.worktrees': optionalText(
    'user',
    'The directory in which the git work trees of tasks are made; without one it is `<repository>-worktrees`, beside the repository.',
  ),
  'team.checkin_minutes': minutes(15, [0, 10_080], 'user', 'Minutes between two check-ins of a room; 0 is off.'),
  'team.checkpoint_agent': optionalText('user', 'The handle of the agent that gets checkpoints.'),
  'team.checkpoint_command': optionalText(
    'user',
    'A shell command that is run for each checkpoint, with the event as JSON on its standard input.',
  ),
  'team.checkpoint_decisions': integer(
    20,
    [0, 10_000],
    'user',
    'Logged decisions after which a checkpoint is due; 0 is off.',
  ),
  'team.checkpoint_minutes': minutes(
    0,
    [0, 10_080],
    'user',
    'Minutes after which a checkpoint is due anyway, if there was a decision since the last; 0 is off.',
  ),
  'team.first_prompt': optionalText(
    'user',
    'The first prompt of an agent that is started without one in a project with rooms; by default it names handle, rooms and skill. Empty: none.',
  ),
  'notify.startup_grace_s': seconds(
    30,
    [0, 3600],
    'user',
    'Seconds after its start during which an agent is not woken for messages of other agents; messages from people and channels do not wait.',
  ),
  'tmux.session': name(
    'rein',
    'user',
    "The session of Rein's own tmux server that has one window for each agent in tmux.",
  ),
  'web.push_contact': optionalText(
    'user',
    'An e-mail or https address at which the operators of push services can reach you; without one they get an address of nobody.',
  ),
  'web.push_detail': yesOrNo(
    false,
    'user',
    'Whether notifications of paired browsers say what is asked, and not only who asks: anyone can read a locked screen.',
  ),
  'web.hosts': hosts(
    'user',
    'Names under which a tunnel or a TLS proxy reaches the page, separated by spaces, each as a browser shows it: `box.tail1234.ts.net`, `localhost:8080`.',
  ),
  'run.max_turns': integer(
    0,
    [0, 100_000],
    'project',
    'Number of model replies after which a `rein run` ends; 0 is no limit. `--max-turns` overrides it.',
  ),
}

export type SettingKey = keyof typeof kinds
export type SettingValue<Key extends SettingKey> = (typeof kinds)[Key]['default']
/** One value for each setting, whichever source it came from. */
export type Settings = { [Key in SettingKey]: SettingValue<Key> }

export const settings: readonly (Setting & { key: SettingKey })[] = Object.entries(kinds).map(([key, kind]) => ({
  ...kind,
  key: key as SettingKey,
  env: `REIN_${key.replaceAll('.', '_').toUpperCase()}`,
}))
