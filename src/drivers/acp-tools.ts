import { fetches, reads, runs, type ToolReader } from './tool-actions.ts'

/** What the Agent Client Protocol calls tools when it asks for a permission, unless the CLI has a tool of that name. */
export const acpTools: Readonly<Record<string, ToolReader>> = {
  execute: runs('command', 'cwd'),
  read: reads('path'),
  search: reads('path'),
  fetch: fetches('url'),
}
