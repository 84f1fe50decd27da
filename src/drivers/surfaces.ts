import { type Surface, surfaces } from '../contract/rule.ts'
import { type Column, row, whereTrue } from './docs.ts'
import { drivers } from './registry.ts'

/** How to read the table, and what a rule cannot see there. */
const limits = [
  'Tools that only some versions have stand here, too.',
  "Codex does not tell its hooks in which other directory a command is run (`workdir`): its paths are taken as those of the agent's own.",
  'Codex tells its hooks nothing of what is typed into a program that it has left running (`write_stdin`); that a shell was started it does tell.',
  'Headless, Gemini CLI calls no hooks for tools: rules look at what it asks over its protocol. It does not ask before it reads, and shows only the first 97 characters of the prompt of `web_fetch`: a longer one is in doubt.',
  'A search (`Grep`, `grep`, `glob` …) is a read of the directory that it is given, not of each file in it.',
  'Names of MCP tools do not say where the name of the server ends in Copilot CLI (`-`), Gemini CLI and opencode (`_`): a pattern of `tools` fits if it fits one of the ways to read them.',
  "A search of the web that the model's provider makes is no call that anybody is told of.",
]

const patch = '*** Begin Patch\n*** Add File: a\n+a\n*** Update File: b\n@@\n-a\n+b\n*** Delete File: c\n*** End Patch'

/** An input that every tool finds its own in. */
const sample = {
  command: 'ls',
  url: 'https://a.example',
  prompt: 'https://a.example',
  input: patch,
  patchText: patch,
  file_path: 'a',
  filePath: 'a',
  path: 'a',
  notebook_path: 'a',
  edits: [],
}

/** A Markdown table of the tools per CLI and surface, and the blind spots; `pinned` as for `driversPage`. */
export const surfaceTable = (pinned: Readonly<Record<string, string>>): string => {
  const columns = drivers.map((driver) => ({ driver, version: pinned[driver.name] ?? driver.minVersion }))
  const table = [
    row(['', ...columns.map(({ driver, version }) => `${driver.title} ${version}`)]),
    row(['---', ...columns.map(() => '---')]),
    ...surfaces.map((surface) =>
      row([
        `\`${surface}\``,
        ...columns.map((column) => {
          if (surface === 'prompt') return whereTrue(column, 'onPrompt')
          if (surface === 'stop') return whereTrue(column, 'onStop')
          // The CLI's own tools by the names its hooks use, plus one example of an MCP tool.
          const { own, mcp } = column.driver.tools
          const names = [
            ...Object.keys(own),
            ...(mcp === null ? [] : [`${mcp.prefix}server${mcp.between}tool`]),
          ].filter((tool) => {
            const input = tool === 'apply_patch' ? { ...sample, command: patch } : sample
            return column.driver.actions(tool, input).actions.some(({ kind }) => kind === surface)
          })
          return names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ')
        }),
      ]),
    ),
  ]
  return [...table, '', ...limits.map((limit) => `- ${limit}`)].join('\n')
}
