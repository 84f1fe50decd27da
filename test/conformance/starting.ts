/** How a person starts each CLI with a first prompt, lets it work, and accepts what it asks about its hooks. */
export interface Start {
  args: string[]
  env: Record<string, string>
  /** Dialogs at its start that this person says yes to, by the names that the driver gives them. */
  accepts: readonly string[]
}

const ways: Record<string, (prompt: string) => Partial<Start>> = {
  claude: (prompt) => ({
    args: [
      '--permission-mode',
      'bypassPermissions',
      '--settings',
      '{"skipDangerousModePermissionPrompt":true}',
      prompt,
    ],
    accepts: ['MCP server'],
  }),
  codex: (prompt) => ({
    args: ['--no-daemon', '--dangerously-bypass-approvals-and-sandbox', prompt],
    accepts: ['hooks review'],
  }),
  copilot: (prompt) => ({ args: ['--allow-all-tools', '-i', prompt] }),
  gemini: (prompt) => ({ args: ['--yolo', '-i', prompt] }),
  opencode: (prompt) => ({
    args: ['--prompt', prompt],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { bash: 'allow' } }) },
  }),
}

export const howToStart = (driver: string, prompt: string): Start => ({
  args: [],
  env: {},
  accepts: [],
  ...ways[driver]?.(prompt),
})
