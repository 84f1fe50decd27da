export interface CommandGroup {
  title: string
  commands: readonly string[]
}

/** What `rein --help` shows, the most used first. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Every day', commands: ['up', 'ps', 'tell', 'attach', 'answer', 'logs', 'run', 'down'] },
  { title: 'Agents', commands: ['top', 'web', 'here', 'restart', 'pause', 'resume', 'interrupt'] },
  { title: 'Messages', commands: ['inbox', 'receipt', 'chat', 'channel', 'notify'] },
  { title: 'Teams', commands: ['orchestrate', 'task', 'team', 'story'] },
  { title: 'History and rules', commands: ['session', 'memory', 'rules', 'trust'] },
  {
    title: 'Setting up',
    commands: ['setup', 'cleanup', 'service', 'config', 'doctor', 'docs', 'demo', 'upgrade'],
  },
]

/** What `rein help --all` shows besides. */
export const scriptCommands: CommandGroup = {
  title: 'For agents, scripts and programs; seldom for you',
  commands: [
    'ack',
    'adapter',
    'bus',
    'cancel',
    'completions',
    'daemon',
    'decision',
    'follow',
    'lease',
    'mcp',
    'uninstall',
  ],
}
