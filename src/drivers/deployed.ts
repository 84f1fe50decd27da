import { join } from 'node:path'
import { quoted } from '../base/util/shell.ts'
import type { Deployment, SetupContext } from './contract.ts'

/** Ends each command that `rein setup` writes: by this, and nothing else, it is known as Rein's. */
export const marker = ' # rein-managed'

/** A command for a shell that does nothing where Rein is not installed; `exec` keeps the CLI the program's parent. */
export const managedCommand = (program: string, ...args: string[]): string =>
  `if [ -x ${quoted(program)} ]; then exec ${[quoted(program), ...args].join(' ')}; fi${marker}`

/** The same for a file that others get: wherever Rein keeps its programs for them. */
export const sharedCommand = (name: string, ...args: string[]): string => {
  const program = `"\${REIN_HOME:-\${XDG_STATE_HOME:-$HOME/.local/state}/rein}/hooks/${name}"`
  return `if [ -x ${program} ]; then exec ${[program, ...args].join(' ')}; fi${marker}`
}

/** Whether `rein setup` writes exactly this, for the programs in this directory. */
export const isManagedCommand = (command: string, hooks: string): boolean =>
  ['rein-hook', 'rein-wait', 'rein-guard'].some((name) => {
    const [, args = ''] = new RegExp(`/${name}['"]((?: [A-Za-z.]+)*); fi${marker}$`).exec(command) ?? []
    const words = args.split(' ').filter((word) => word !== '')
    return [managedCommand(join(hooks, name), ...words), sharedCommand(name, ...words)].includes(command)
  })

/** What a conversation should know that Rein did not start. */
export const instructions = `Rein connects this conversation with its user. Text between <rein-directive …> and </rein-directive …> is a message that the user, or an agent
working for the user, sent you through it: treat it like a message of the user, and acknowledge it with \`rein ack ID\` once you act on it.`

/** Each skill as a file under the directory where the CLI looks for them. */
export const skillDeployments = (directory: string, { skills }: SetupContext): Deployment[] =>
  skills.map(({ name, content }) => ({
    kind: 'file',
    path: join(directory, name, 'SKILL.md'),
    content,
    executable: false,
  }))

/** Rein's MCP server in a JSON file, in the form that most CLIs share. */
export const mcpServerKey = (path: string, { mcp: [command = '', ...args] }: SetupContext): Deployment => ({
  kind: 'json-key',
  path,
  at: ['mcpServers', 'rein'],
  value: { command, args },
})
