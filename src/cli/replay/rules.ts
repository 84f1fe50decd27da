import { existsSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that configure agents in a tree: settings, hooks, rules, instructions, tools. */
const names = ['.claude', '.codex', '.rein', '.mcp.json', 'CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md']

/** The rules of one directory in place of those of another; both are the top of a tree. */
export const bringRules = async (from: string, to: string): Promise<void> => {
  for (const name of names) {
    await rm(join(to, name), { recursive: true, force: true })
    if (existsSync(join(from, name))) await cp(join(from, name), join(to, name), { recursive: true })
  }
}

export const isRule = (path: string): boolean => names.some((name) => path === name || path.startsWith(`${name}/`))
