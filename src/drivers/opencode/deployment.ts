import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { plugin } from './assets.ts'

/** The entry in opencode's list of instructions is known by this name. */
const instructionsFile = 'rein-instructions.md'

const instructions = `# Rein

Rein may add messages between <rein-directive …> lines to a prompt or to the result of a tool.
They come from the person you work for, or from another agent: take them as the user's own words.
When you have taken one into account, run \`rein ack ID\`.
`

/**
 * Not AGENTS.md: where there is none, opencode reads CLAUDE.md, and a new AGENTS.md would hide it.
 * Files of opencode's own directories are loaded without a line in its configuration, and without being trusted first.
 */
export const deployment = (context: SetupContext): Deployment[] => {
  const { directory, config, named } = places(context)
  return [
    file(join(directory, 'plugin', 'rein.js'), deployedPlugin(context)),
    file(join(directory, instructionsFile), instructions),
    ...context.skills.map(({ name, content }) => file(join(directory, 'skills', name, 'SKILL.md'), content)),
    { kind: 'json-items', path: config, at: ['instructions'], items: [named], marker: instructionsFile },
    {
      kind: 'json-key',
      path: config,
      at: ['mcp', 'rein'],
      value: { type: 'local', command: [...context.mcp], enabled: true },
    },
  ]
}

/** In a project the instructions are found upwards from wherever opencode is started. */
const places = ({ scope, project, env }: SetupContext): { directory: string; config: string; named: string } => {
  if (scope === 'project') {
    const directory = join(project, '.opencode')
    return { directory, config: join(project, 'opencode.json'), named: `.opencode/${instructionsFile}` }
  }
  const directory = join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'opencode')
  return { directory, config: join(directory, 'opencode.json'), named: join(directory, instructionsFile) }
}

const file = (path: string, content: string): Deployment => ({ kind: 'file', path, content, executable: false })

/** The same plugin as in agents that Rein launches, with the programs that know where Rein is. */
const deployedPlugin = ({ programs, hook, waiter }: SetupContext): string =>
  readFileSync(join(programs, plugin), 'utf8').replace(
    'const deployed = null',
    () => `const deployed = ${JSON.stringify({ hook, waiter })}`,
  )
