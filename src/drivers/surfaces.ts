import { surfaces } from '../contract/rule.ts'
import { row, whereTrue } from './docs.ts'
import { drivers } from './registry.ts'

/** How to read the table, and what a rule cannot see there. */
const limits = [
  'The table includes tools that only some versions have.',
  "Codex does not tell its hooks if a command runs in another directory (`workdir`): its paths are resolved in the agent's own directory.",
  'Codex does not report input to a running program (`write_stdin`) to its hooks; it does report the start of a shell.',
  'Headless, Gemini CLI calls no hooks for tools: rules check the permission requests of its protocol. It does not ask before it reads, and shows only the first 97 characters of the prompt of `web_fetch`: a longer one is in doubt.',
  'A search (`Grep`, `grep`, `glob` …) counts as a read of its directory, not of each file in it.',
  "In Copilot CLI (`-`), Gemini CLI and opencode (`_`), the name of an MCP tool does not show where the server's name ends: a pattern of `tools` matches if it matches one of the possible splits.",
  "A web search by the model's provider is not reported as a call.",
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
