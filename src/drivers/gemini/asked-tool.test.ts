import { expect, test } from 'vitest'
import { askedTool } from './asked-tool.ts'
import { actions } from './tools.ts'

const actionsIn = (toolCall: Record<string, unknown>) => {
  const tool = askedTool(toolCall)
  return tool === undefined ? null : actions(tool.name, tool.input).actions
}
const diff = (toolCallId: string, oldText: string | null) => ({
  toolCallId,
  title: 'Writing to b.txt',
  kind: 'edit',
  content: [{ type: 'diff', path: '/p/b.txt', oldText, newText: 'hi', _meta: { kind: 'add' } }],
})

test.each([
  [
    { toolCallId: 'run_shell_command__call_01', title: 'touch x.txt', kind: 'execute', content: [] },
    [{ kind: 'shell', command: 'touch x.txt', cwd: null }],
  ],
  [
    {
      toolCallId: 'run_shell_command__call_01',
      title: 'touch x.txt',
      content: [{ type: 'content', content: { type: 'text', text: '[in sub] (words)' } }],
    },
    [{ kind: 'shell', command: 'touch x.txt', cwd: 'sub' }],
  ],
  [diff('write_file__call_02', null), [{ kind: 'write', path: '/p/b.txt', content: 'hi' }]],
  [
    diff('replace__call_03', 'hello'),
    [{ kind: 'edit', path: '/p/b.txt', replacements: [{ old: 'hello', new: 'hi', isEverywhere: false }] }],
  ],
  [
    { toolCallId: 'web_fetch__call_04', title: 'Processing URLs and instructions from prompt: "read http://x.org/y"' },
    [{ kind: 'fetch', url: 'http://x.org/y' }],
  ],
  [
    {
      toolCallId: 'web_fetch__call_06',
      title: 'Processing URLs and instructions from prompt: "read http://x.org/y and..."',
    },
    [
      { kind: 'fetch', url: 'http://x.org/y' },
      { kind: 'unreadable-fetch', why: 'only the beginning of the prompt is shown' },
    ],
  ],
  [{ toolCallId: 'mcp_git_log__call_05', title: 'log' }, [{ kind: 'mcp', server: 'git', tool: 'log' }]],
  [{ toolCallId: 'x' }, null],
])('what a headless Gemini asks about: %j', (toolCall, expected) => {
  expect(actionsIn(toolCall)).toEqual(expected)
})
