import { expect, test } from 'vitest'
import { surfaces } from '../contract/rule.ts'
import { drivers } from './registry.ts'
import { surfaceTable } from './surfaces.ts'

const lines = surfaceTable({ claude: '9.9.9' }).split('\n')

const cellsOf = (surface: string): string[] =>
  lines
    .find((line) => line.startsWith(`| \`${surface}\` |`))
    ?.split('|')
    .slice(2, -1)
    .map((cell) => cell.trim()) ?? []

test('there is a row for each surface and a column for each CLI', () => {
  expect(lines[0]).toContain('| Claude Code 9.9.9 |')
  expect(surfaces.map((surface) => cellsOf(surface).length)).toEqual(surfaces.map(() => drivers.length))
})

test('each CLI has its own names; a patch is several kinds of change', () => {
  expect(cellsOf('write')).toEqual([
    '`Write`',
    '`apply_patch`',
    '`create`, `apply_patch`',
    '`write_file`',
    '`write`, `apply_patch`, `patch`',
  ])
  expect(cellsOf('delete')).toEqual(['–', '`apply_patch`', '`apply_patch`', '–', '`apply_patch`, `patch`'])
  expect(cellsOf('shell')[2]).toBe('`bash`, `write_bash`')
  expect(cellsOf('mcp')).toEqual([
    '`mcp__server__tool`',
    '`mcp__server__tool`',
    '`server-tool`',
    '`mcp_server_tool`',
    '`server_tool`',
  ])
})
