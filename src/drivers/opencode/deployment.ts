import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { plugin } from './assets.ts'

const instructions = `# Rein

Rein may add messages between <rein-directive …> lines to a prompt or to the result of a tool.
They come from the person you work for, or from another agent: take them as the user's own words.
When you have taken one into account, run \`rein ack ID\`.
`

/**
 * Two lines in opencode's configuration: the plugin, which adds the skills and instructions beside it, and the MCP server.
 * Not in .opencode/, into which opencode installs packages once it is there; and no AGENTS.md, which would hide a CLAUDE.md.
 */
export const deployment = (context: SetupContext): Deployment[] => {
  const { scope, project, env } = context
  const [base, name] =
    scope === 'project'
      ? [project, '.rein/opencode']
      : [join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config'), 'opencode'), 'rein']
  const [directory, config] = [join(base, name), join(base, 'opencode.json')]
  return [
    file(join(directory, plugin), deployedPlugin(context)),
    file(join(directory, 'instructions.md'), instructions),
    ...context.skills.map((skill) => file(join(directory, 'skills', skill.name, 'SKILL.md'), skill.content)),
    // opencode resolves a relative entry beside the file it is in.
    { kind: 'json-items', path: config, at: ['plugin'], items: [`./${name}/${plugin}`], marker: plugin },
    {
      kind: 'json-key',
      path: config,
      at: ['mcp', 'rein'],
      value: { type: 'local', command: [...context.mcp], enabled: true },
    },
  ]
}

const file = (path: string, content: string): Deployment => ({ kind: 'file', path, content, executable: false })

/** The same plugin as in agents that Rein launches, with the programs that know where Rein is. */
export const deployedPlugin = ({
  programs,
  hook,
  waiter,
  guard,
}: Pick<SetupContext, 'programs' | 'hook' | 'waiter' | 'guard'>): string =>
  readFileSync(join(programs, plugin), 'utf8').replace(
    'const deployed = null',
    () => `const deployed = ${JSON.stringify({ hook, waiter, guard })}`,
  )
